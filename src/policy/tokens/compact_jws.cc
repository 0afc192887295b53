#include "policy/tokens/compact_jws.h"

#include <algorithm>
#include <optional>

#include "base/json/json.h"
#include "base/text.h"
#include "policy/tokens/base64url.h"

namespace falconer::policy {
namespace {

struct JwsParts {
  std::string_view header;
  std::string_view payload;
  std::string_view signature;
};

std::optional<JwsParts> SplitJws(std::string_view token) {
  const std::size_t first = token.find('.');
  if (first == token.npos) return std::nullopt;
  const std::size_t second = token.find('.', first + 1);
  if (second == token.npos || token.find('.', second + 1) != token.npos) return std::nullopt;
  return JwsParts{token.substr(0, first), token.substr(first + 1, second - first - 1),
                  token.substr(second + 1)};
}

// Members that a header must not have, and what each of them tries.
struct HeaderFault {
  std::string_view member;
  TokenFault fault;
};

constexpr HeaderFault kHeaderFaults[] = {
    {"jwk", TokenFault::kEmbeddedKey},       {"jku", TokenFault::kKeyUrl},
    {"x5u", TokenFault::kCertificateUrl},    {"x5c", TokenFault::kCertificateChain},
    {"x5t", TokenFault::kCertificateDigest}, {"x5t#S256", TokenFault::kCertificateDigest},
    {"crit", TokenFault::kCriticalHeader},   {"b64", TokenFault::kUnencodedPayload},
};

TokenFault FaultOfMember(std::string_view member) {
  const auto* const row = std::ranges::find(kHeaderFaults, member, &HeaderFault::member);
  return row == std::end(kHeaderFaults) ? TokenFault::kUnknownHeader : row->fault;
}

// "none" in any case: some libraries compare without it.
TokenFault FaultOfAlgorithm(std::string_view name) {
  const std::string lower = ToLower(name);
  if (lower == "none") return TokenFault::kAlgorithmNone;
  return lower.starts_with("hs") ? TokenFault::kAlgorithmSymmetric : TokenFault::kAlgorithmUnknown;
}

Result<void> ReadAlgorithm(const json::object& header, CompactJws& out) {
  const json::value* value = header.if_contains("alg");
  if (value == nullptr || !value->is_string()) return RefuseToken(TokenFault::kAlgorithmMissing);
  const std::string_view name = value->get_string();
  const std::optional<TokenAlgorithm> algorithm = ValueIn(kTokenAlgorithms, name);
  if (!algorithm) return RefuseToken(FaultOfAlgorithm(name));
  out.algorithm = *algorithm;
  return {};
}

Result<void> ReadMember(const json::key_value_pair& member, CompactJws& out) {
  const std::string_view name = member.key();
  if (name == "alg") return {};
  const bool is_key_name = name == "kid";
  if (!is_key_name && name != "typ") return RefuseToken(FaultOfMember(name));
  const json::string* text = member.value().if_string();
  if (is_key_name && (text == nullptr || !IsKeyName(*text))) {
    return RefuseToken(TokenFault::kKeyNameBad);
  }
  if (text == nullptr) return RefuseToken(TokenFault::kBadHeader);
  (is_key_name ? out.key_name : out.type) = *text;
  return {};
}

Result<void> ReadHeader(std::string_view text, CompactJws& out) {
  const Result<json::object> header = ParseTokenObject(text, TokenFault::kBadHeader);
  if (!header) return Fail(header.error());
  // What the header tries counts before what it calls itself.
  for (const json::key_value_pair& member : *header) TRY(ReadMember(member, out));
  return ReadAlgorithm(*header, out);
}

Result<std::string> DecodePart(std::string_view part) {
  Result<std::string> bytes = DecodeBase64Url(part);
  if (!bytes) return RefuseToken(TokenFault::kBadEncoding);
  return bytes;
}

}  // namespace

bool IsKeyName(std::string_view text) {
  constexpr std::string_view kOthers = "-_.@:=+";
  const bool has_form =
      !text.empty() && text.size() <= kMaxKeyName && text.front() != '.' && !text.contains("..");
  return has_form && std::ranges::all_of(
                         text, [&](char c) { return IsLetterOrDigit(c) || kOthers.contains(c); });
}

Result<json::object> ParseTokenObject(std::string_view text, TokenFault otherwise) {
  Result<json::object> object = ParseJsonObject(text);
  if (object) return object;
  const bool is_twice = object.error().message().contains("is given twice");
  return RefuseToken(is_twice ? TokenFault::kDuplicateMember : otherwise);
}

Result<CompactJws> ParseCompactJws(std::string_view token) {
  if (token.size() > kMaxTokenLength) return RefuseToken(TokenFault::kTooLong);
  const std::optional<JwsParts> parts = SplitJws(token);
  if (!parts) return RefuseToken(TokenFault::kMalformed);
  CompactJws out;
  TRY_ASSIGN(const std::string header, DecodePart(parts->header));
  TRY(ReadHeader(header, out));
  TRY_ASSIGN(out.payload, DecodePart(parts->payload));
  if (parts->signature.empty()) return RefuseToken(TokenFault::kSignatureMissing);
  TRY_ASSIGN(out.signature, DecodePart(parts->signature));
  out.signed_text = token.substr(0, parts->header.size() + 1 + parts->payload.size());
  return out;
}

Result<void> VerifyJws(const CompactJws& jws, const TokenKey& key) {
  if (jws.algorithm != key.algorithm()) return RefuseToken(TokenFault::kAlgorithmMismatch);
  if (!key.Verifies(jws.signed_text, jws.signature)) return RefuseToken(TokenFault::kSignatureBad);
  return {};
}

std::string SignCompactJws(std::string_view payload, std::string_view key_name,
                           const TokenKey& key) {
  const json::object header{
      {"alg", NameIn(kTokenAlgorithms, key.algorithm())}, {"typ", "JWT"}, {"kid", key_name}};
  std::string token = EncodeBase64Url(json::serialize(header)) + "." + EncodeBase64Url(payload);
  const std::string signature = key.Sign(token);
  return token.append(".").append(EncodeBase64Url(signature));
}

}  // namespace falconer::policy
