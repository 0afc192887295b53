#pragma once
// AccessKeys: the bearer keys of a server, one for each role, as digests: whoever reads them cannot
// use them. A key is "fk_<role>_" and 64 hex digits.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/role.h"
#include "base/json/json.h"

namespace falconer::api {

// A key that was made just now: the only moment at which it is known.
struct NewAccessKey {
  Role role = Role::kViewer;
  std::string key;
};

class AccessKeys {
 public:
  // One new key for each role.
  static AccessKeys Generate(std::vector<NewAccessKey>& made);
  // One more key for that role.
  std::string Add(Role role);
  // kInvalidArgument for what ToJson() never writes.
  static Result<AccessKeys> FromJson(const json::value& value);
  json::object ToJson() const;

  // Whose key that is; nothing when it is nobody's.
  std::optional<Role> RoleOf(std::string_view key) const;

 private:
  // By SHA-256 in hex: looking a digest up tells nothing about the key by the time it takes.
  std::map<std::string, Role, std::less<>> roles_;
};

}  // namespace falconer::api
