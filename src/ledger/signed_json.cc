#include "ledger/signed_json.h"

#include <algorithm>
#include <optional>

#include "base/hex.h"
#include "base/json/canonical_json.h"
#include "ledger/from_hex.h"

namespace falconer::ledger {
namespace {

std::string TextOf(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

}  // namespace

Result<std::string> SignJson(json::object object, const SigningKey& key) {
  object["key"] = key.public_key().id();
  TRY_ASSIGN(const std::string text, CanonicalJson(object));
  object["signature"] = ToHex(key.Sign(text));
  return CanonicalJson(object);
}

Result<json::object> ParseSignedJson(std::string_view text, std::span<const PublicKey> keys) {
  TRY_ASSIGN(json::object object, ParseJsonObject(text));
  const auto signature = FromHex<sizeof(Signature)>(TextOf(object, "signature"));
  const std::string key_id = TextOf(object, "key");
  object.erase("signature");
  TRY_ASSIGN(const std::string signed_text, CanonicalJson(object));
  const bool is_signed = signature && std::ranges::any_of(keys, [&](const PublicKey& key) {
                           return key.id() == key_id && key.Verifies(signed_text, *signature);
                         });
  if (!is_signed) return Fail(ErrorCode::kLedgerDamaged, "no given key made the signature");
  object.erase("key");
  return object;
}

}  // namespace falconer::ledger
