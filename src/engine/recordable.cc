#include "engine/recordable.h"

#include <cmath>
#include <fmt/format.h>

#include "base/json/canonical_json.h"
#include "base/sha256.h"
#include "base/utf8.h"

namespace falconer::engine {
namespace {

// Nobody means a contract that is longer than this; a refusal must not fill the ledger.
constexpr std::size_t kMostBytes = 1U << 20U;

// What stands around a contract in a record nests it one deeper.
Result<std::size_t> CanonicalSize(const json::value& wire) {
  TRY_ASSIGN(const std::string text, CanonicalJson(json::object{{"contract", wire}}));
  return text.size();
}

json::object Digest(const json::value& wire, std::string why) {
  const std::string text = json::serialize(wire);
  return {{"sha256", Sha256Hex(text)}, {"bytes", text.size()}, {"why", MendedUtf8(std::move(why))}};
}

void MakeKeysRecordable(json::object& object) {
  json::object mended;
  for (auto& [key, value] : object) {
    MakeRecordable(value);
    mended[MendedUtf8(std::string(key))] = std::move(value);
  }
  object = std::move(mended);
}

}  // namespace

json::object ContractOnRecord(const json::value& wire) {
  const auto size = CanonicalSize(wire);
  if (!size) return {{"contract_digest", Digest(wire, std::string(size.error().message()))}};
  if (*size > kMostBytes) {
    return {{"contract_digest", Digest(wire, fmt::format("{} bytes are too many", *size))}};
  }
  return {{"contract", wire}};
}

void MakeRecordable(json::value& value) {
  if (json::object* object = value.if_object()) return MakeKeysRecordable(*object);
  if (json::array* array = value.if_array()) {
    for (json::value& element : *array) MakeRecordable(element);
    return;
  }
  if (value.is_string()) {
    value = MendedUtf8(std::string(value.get_string()));
  } else if (!CanonicalJson(value)) {
    value = json::serialize(value);
  }
}

}  // namespace falconer::engine
