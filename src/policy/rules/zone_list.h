#pragma once
// ZoneList: the time zones that a policy names, each loaded once.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/rules/time_zone.h"

namespace falconer::policy {

class ZoneList {
 public:
  explicit ZoneList(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Its place in the list. Fails like TimeZone::Load.
  Result<std::size_t> Find(std::string_view name);
  std::vector<TimeZone> Take() && { return std::move(zones_); }

 private:
  std::filesystem::path folder_;
  std::vector<std::string> names_;
  std::vector<TimeZone> zones_;
};

}  // namespace falconer::policy
