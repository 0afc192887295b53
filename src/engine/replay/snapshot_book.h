#pragma once
// SnapshotBook: which snapshots (policy, rules, limits) the chains have already. Records refer to a
// snapshot by its digest; its content is written once per chain and start of the program.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/json/json.h"

namespace falconer::engine {

struct Snapshot {
  std::string name;    // what it is of: "policy_resolution", "domain_rules", ...
  std::string digest;  // SHA-256 of the canonical content, in hex
  json::object content;
};

class SnapshotBook {
 public:
  // The payload of a record with those of the snapshots that the tenant's chain lacks; nothing when
  // it has them all.
  std::optional<json::object> Lacking(const TenantId& tenant,
                                      const std::vector<Snapshot>& snapshots) const;
  // They are on disk now.
  void Written(const TenantId& tenant, const std::vector<Snapshot>& snapshots);

 private:
  std::map<TenantId, std::set<std::string, std::less<>>> written_;
};

}  // namespace falconer::engine
