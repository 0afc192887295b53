#include "api/http/access_keys.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/random.h"
#include "base/sha256.h"

namespace falconer::api {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kDigestDigits = 64;

struct KeyRow {
  Role role;
  std::string digest;
};

KeyRow ReadKeyRow(JsonReader& in) {
  return {.role = in.Enum("role", kRoles), .digest = in.String("sha256")};
}

bool IsDigest(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return text.size() == kDigestDigits &&
         std::ranges::all_of(text, [&](char c) { return kDigits.contains(c); });
}

}  // namespace

AccessKeys AccessKeys::Generate(std::vector<NewAccessKey>& made) {
  AccessKeys keys;
  for (const EnumName<Role>& role : kRoles) made.push_back({role.value, keys.Add(role.value)});
  return keys;
}

std::string AccessKeys::Add(Role role) {
  std::string key = fmt::format("fk_{}_{}", NameIn(kRoles, role), RandomHex(kKeyBytes));
  roles_.emplace(Sha256Hex(key), role);
  return key;
}

Result<AccessKeys> AccessKeys::FromJson(const json::value& value) {
  TRY_ASSIGN(const auto rows, ReadJson(value, "keys", [](JsonReader& in) {
               return in.Objects("keys", ReadKeyRow);
             }));
  AccessKeys keys;
  for (const KeyRow& row : rows) {
    if (!IsDigest(row.digest))
      return Fail(ErrorCode::kInvalidArgument, "keys: sha256 is not 64 hex digits");
    keys.roles_.emplace(row.digest, row.role);
  }
  return keys;
}

json::object AccessKeys::ToJson() const {
  json::array rows;
  for (const auto& [digest, role] : roles_)
    rows.push_back(json::object{{"role", NameIn(kRoles, role)}, {"sha256", digest}});
  return {{"keys", std::move(rows)}};
}

std::optional<Role> AccessKeys::RoleOf(std::string_view key) const {
  const auto found = roles_.find(Sha256Hex(key));
  if (found == roles_.end()) return std::nullopt;
  return found->second;
}

}  // namespace falconer::api
