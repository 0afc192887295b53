#include "engine/replay/replay_report.h"

#include <algorithm>
#include <utility>

namespace falconer::engine {

json::object ReplayCheck::ToJson() const {
  json::object out{{"decision", decision}, {"status", NameIn(kReplayStatuses, status)}};
  if (divergence) out["class"] = NameIn(kDivergenceClasses, *divergence);
  if (!detail.empty()) out["detail"] = detail;
  if (diff_ms) out["diff_ms"] = *diff_ms;
  return out;
}

void TurnReplay::Reproduced(std::string decision, std::string detail) {
  checks.push_back({.decision = std::move(decision), .detail = std::move(detail)});
}

void TurnReplay::Missing(std::string decision, std::string what) {
  checks.push_back({.decision = std::move(decision),
                    .status = ReplayStatus::kMissing,
                    .detail = std::move(what)});
}

void TurnReplay::Diverged(std::string decision, DivergenceClass how, std::string detail) {
  checks.push_back({.decision = std::move(decision),
                    .status = ReplayStatus::kDiverged,
                    .divergence = how,
                    .detail = std::move(detail)});
}

ReplayStatus TurnReplay::status() const {
  ReplayStatus worst = ReplayStatus::kReproduced;
  for (const ReplayCheck& check : checks) worst = std::max(worst, check.status);
  return worst;
}

std::string TurnReplay::Title() const {
  if (!turn.empty()) return turn.value();
  return "refusal of " + (action.empty() ? std::string("what was no contract") : action.value());
}

json::object TurnReplay::ToJson() const {
  json::object out{{"status", NameIn(kReplayStatuses, status())}};
  if (!turn.empty()) out["turn_id"] = turn.value();
  if (!action.empty()) out["action_id"] = action.value();
  if (!action_type.empty()) out["action_type"] = action_type;
  out["records"] = json::array(records.begin(), records.end());
  json::array& list = out["checks"].emplace_array();
  for (const ReplayCheck& check : checks) list.emplace_back(check.ToJson());
  return out;
}

ReplayStatus ReplayReport::status() const {
  ReplayStatus worst = not_seen.empty() ? ReplayStatus::kReproduced : ReplayStatus::kDiverged;
  for (const TurnReplay& turn : turns) worst = std::max(worst, turn.status());
  return worst;
}

json::object ReplayReport::ToJson() const {
  json::object out{{"id", id},
                   {"found_by", found_by},
                   {"tenant", tenant.value()},
                   {"status", NameIn(kReplayStatuses, status())}};
  json::array& list = out["turns"].emplace_array();
  for (const TurnReplay& turn : turns) list.emplace_back(turn.ToJson());
  if (!not_seen.empty()) out["not_seen"] = json::array(not_seen.begin(), not_seen.end());
  out["next"] = next == 0 ? json::value(nullptr) : json::value(next);
  return out;
}

}  // namespace falconer::engine
