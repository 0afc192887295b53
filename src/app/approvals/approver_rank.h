#pragma once
// What the settings say about people who approve.

#include <algorithm>
#include <string>
#include <string_view>

#include "base/settings/settings.h"
#include "base/text.h"
#include "model/approval/approval_request.h"

namespace falconer::app {

// Names are compared without regard to case, as those of approvers are.
inline bool IsNamed(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::any_of(
      names, [&](const std::string& known) { return IsSameWord(Trim(known), Trim(name)); });
}

// approvals.admins, approvals.managers, or anybody.
inline model::ApproverRank RankOf(const Settings& settings, std::string_view name) {
  if (IsNamed(settings.approvals.admins, name)) return model::ApproverRank::kAdmin;
  if (IsNamed(settings.approvals.managers, name)) return model::ApproverRank::kManager;
  return model::ApproverRank::kHuman;
}

}  // namespace falconer::app
