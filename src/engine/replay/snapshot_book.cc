#include "engine/replay/snapshot_book.h"

#include <utility>

namespace falconer::engine {
namespace {

// Of one chain. Whoever changes his policy more often than this gets some snapshots twice.
constexpr std::size_t kMostRemembered = 1024;

}  // namespace

std::optional<json::object> SnapshotBook::Lacking(const TenantId& tenant,
                                                  const std::vector<Snapshot>& snapshots) const {
  const auto known = written_.find(tenant);
  json::array lacking;
  for (const Snapshot& one : snapshots) {
    if (known != written_.end() && known->second.contains(one.digest)) continue;
    lacking.push_back({{"name", one.name}, {"digest", one.digest}, {"content", one.content}});
  }
  if (lacking.empty()) return std::nullopt;
  return json::object{{"snapshots", std::move(lacking)}};
}

void SnapshotBook::Written(const TenantId& tenant, const std::vector<Snapshot>& snapshots) {
  auto& known = written_[tenant];
  if (known.size() > kMostRemembered) known.clear();
  for (const Snapshot& one : snapshots) known.insert(one.digest);
}

}  // namespace falconer::engine
