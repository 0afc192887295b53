#include "policy/rules/zone_list.h"

#include <algorithm>

namespace falconer::policy {

Result<std::size_t> ZoneList::Find(std::string_view name) {
  const auto found = std::ranges::find(names_, name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  TRY_ASSIGN(TimeZone zone, TimeZone::Load(name, folder_));
  names_.emplace_back(name);
  zones_.push_back(std::move(zone));
  return names_.size() - 1;
}

}  // namespace falconer::policy
