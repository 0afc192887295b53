#include "policy/tokens/jwk.h"

#include <algorithm>
#include <optional>

#include <openssl/core_names.h>

#include "policy/tokens/base64url.h"

namespace falconer::policy {
namespace {

// The coordinates of P-256 and the keys of Ed25519 have this many bytes.
constexpr std::size_t kPointBytes = 32;
constexpr std::size_t kMostRsaBytes = 1024;

std::unexpected<Error> BadJwk(std::string_view member, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, "jwk." + std::string(member) + ": " + std::string(why));
}

Result<std::string> JwkBytes(const json::object& jwk, std::string_view member) {
  const json::value* value = jwk.if_contains(member);
  if (value == nullptr || !value->is_string()) return BadJwk(member, "expected a text");
  Result<std::string> bytes = DecodeBase64Url(value->get_string());
  if (!bytes) return BadJwk(member, "not base64url");
  if (bytes->empty() || bytes->size() > kMostRsaBytes) return BadJwk(member, "has a wrong length");
  return bytes;
}

Result<std::string> JwkPoint(const json::object& jwk, std::string_view member) {
  TRY_ASSIGN(std::string bytes, JwkBytes(jwk, member));
  if (bytes.size() != kPointBytes) return BadJwk(member, "has a wrong length");
  return bytes;
}

Result<SslKey> FromParams(const char* type, OSSL_PARAM_BLD* builder) {
  const SslParams params(OSSL_PARAM_BLD_to_param(builder));
  const SslKeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  const bool is_made =
      params && context && EVP_PKEY_fromdata_init(context.get()) == 1 &&
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) == 1;
  if (!is_made) return BadJwk("kty", "its parts make no key");
  return SslKey(key);
}

Result<SslKey> RsaKeyOf(const json::object& jwk) {
  TRY_ASSIGN(const std::string modulus, JwkBytes(jwk, "n"));
  TRY_ASSIGN(const std::string exponent, JwkBytes(jwk, "e"));
  const auto number = [](const std::string& bytes) {
    return SslNumber(BN_bin2bn(SslBytes(bytes), static_cast<int>(bytes.size()), nullptr));
  };
  const SslNumber n = number(modulus);
  const SslNumber e = number(exponent);
  const SslParamBuilder builder(OSSL_PARAM_BLD_new());
  const bool is_pushed =
      builder && OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) == 1 &&
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) == 1;
  if (!is_pushed) return BadJwk("n", "makes no key");
  return FromParams("RSA", builder.get());
}

Result<SslKey> EcKeyOf(const json::object& jwk) {
  if (TextAt(jwk, "crv") != "P-256") return BadJwk("crv", "expected P-256");
  TRY_ASSIGN(const std::string x, JwkPoint(jwk, "x"));
  TRY_ASSIGN(const std::string y, JwkPoint(jwk, "y"));
  const std::string point = "\x04" + x + y;
  const SslParamBuilder builder(OSSL_PARAM_BLD_new());
  const bool is_pushed = builder &&
                         OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME,
                                                         "prime256v1", 0) == 1 &&
                         OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY,
                                                          point.data(), point.size()) == 1;
  if (!is_pushed) return BadJwk("x", "makes no key");
  return FromParams("EC", builder.get());
}

Result<SslKey> EdKeyOf(const json::object& jwk) {
  if (TextAt(jwk, "crv") != "Ed25519") return BadJwk("crv", "expected Ed25519");
  TRY_ASSIGN(const std::string x, JwkPoint(jwk, "x"));
  SslKey key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, SslBytes(x), x.size()));
  if (!key) return BadJwk("x", "makes no key");
  return key;
}

struct JwkType {
  std::string_view type;
  std::string_view algorithm;
  Result<SslKey> (*read)(const json::object& jwk);
};

constexpr JwkType kJwkTypes[] = {
    {"RSA", "RS256", &RsaKeyOf}, {"EC", "ES256", &EcKeyOf}, {"OKP", "EdDSA", &EdKeyOf}};

// A public key that comes with its secret is no longer one.
constexpr std::string_view kSecretMembers[] = {"d", "p", "q", "dp", "dq", "qi", "oth", "k"};

Result<void> CheckPurpose(const json::object& jwk, const JwkType& type) {
  for (const std::string_view member : kSecretMembers) {
    if (jwk.contains(member)) return BadJwk(member, "only public keys are taken");
  }
  if (jwk.contains("alg") && TextAt(jwk, "alg") != type.algorithm) {
    return BadJwk("alg", "expected " + std::string(type.algorithm));
  }
  if (jwk.contains("use") && TextAt(jwk, "use") != "sig") return BadJwk("use", "expected sig");
  const json::value* uses = jwk.if_contains("key_ops");
  if (uses == nullptr) return {};
  const json::array* list = uses->if_array();
  if (list == nullptr || std::ranges::find(*list, json::value("verify")) == list->end()) {
    return BadJwk("key_ops", "expected verify");
  }
  return {};
}

}  // namespace

Result<SslKey> ParseJwk(const json::object& jwk) {
  const std::string name = TextAt(jwk, "kty");
  const auto* const type = std::ranges::find(kJwkTypes, name, &JwkType::type);
  if (type == std::end(kJwkTypes)) return BadJwk("kty", "expected RSA, EC or OKP");
  TRY(CheckPurpose(jwk, *type));
  return type->read(jwk);
}

}  // namespace falconer::policy
