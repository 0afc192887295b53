#include "kernel/gates/admitted.h"

#include <utility>

#include "base/json/canonical_json.h"
#include "base/sha256.h"

namespace falconer::kernel {
namespace {

// Every token has others.
constexpr std::string_view kOwnClaims[] = {"jti", "iat", "exp", "nbf"};

Result<std::string> DigestOf(const json::object& content) {
  TRY_ASSIGN(const std::string bytes, CanonicalJson(content));
  return Sha256Hex(bytes);
}

}  // namespace

Result<std::shared_ptr<const AdmittedToken>> AdmittedToken::Of(policy::VerifiedToken token) {
  json::object content = policy::ToJson(token.claims);
  for (const std::string_view own : kOwnClaims) content.erase(own);
  TRY_ASSIGN(std::string digest, DigestOf(content));
  return std::make_shared<const AdmittedToken>(std::move(token), std::move(content),
                                               std::move(digest));
}

Result<policy::VerifiedToken> AdmittedToken::Parse(const json::object& content,
                                                   const TenantId& tenant, WallTime issued) {
  json::object claims = content;
  claims["jti"] = "on_record";
  claims["iat"] = policy::ToTokenTime(issued);
  claims["exp"] = policy::ToTokenTime(issued) + 1;
  policy::VerifiedToken token{.claims = {}, .key_name = "", .tenant = tenant};
  TRY_ASSIGN(token.claims, policy::ParseTokenClaims(json::serialize(claims)));
  if (!token.claims.tenant.empty()) token.tenant = token.claims.tenant;
  return token;
}

Result<std::shared_ptr<const AdmittedPolicy>> AdmittedPolicy::Of(std::string yaml) {
  TRY_ASSIGN(auto policy, policy::Policy::Parse(yaml));
  json::object content{{"yaml", std::move(yaml)}};
  TRY_ASSIGN(std::string digest, DigestOf(content));
  return std::make_shared<const AdmittedPolicy>(std::move(policy), std::move(content),
                                                std::move(digest));
}

Result<policy::Policy> AdmittedPolicy::Parse(const json::object& content) {
  const json::value* yaml = content.if_contains("yaml");
  if (yaml == nullptr || !yaml->is_string())
    return Fail(ErrorCode::kInvalidArgument, "yaml: expected string");
  return policy::Policy::Parse(yaml->get_string());
}

}  // namespace falconer::kernel
