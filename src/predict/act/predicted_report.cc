#include "predict/act/predicted_report.h"

#include <algorithm>

namespace falconer::predict {
namespace {

double MsOf(Duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

json::object HealedTold(const HealedSelector& healed) {
  return {{"selector", healed.selector},
          {"instead_of", healed.instead_of},
          {"score", healed.score},
          {"margin", healed.margin},
          {"ranker", healed.ranker}};
}

std::int64_t CountDecided(const std::vector<StepReport>& steps, StepDecision decision) {
  return std::ranges::count(steps, decision, &StepReport::decision);
}

}  // namespace

json::object StepReport::ToJson() const {
  json::object out{{"step", step},
                   {"intent", intent},
                   {"confidence", confidence},
                   {"source", source},
                   {"reason", reason},
                   {"decision", NameIn(kStepDecisions, decision)},
                   {"by", NameIn(kChoosers, by)},
                   {"took_ms", MsOf(took)}};
  if (!action.empty()) out["action_id"] = action.value();
  if (!turn.empty()) out["turn_id"] = turn.value();
  if (healed) out["healed"] = HealedTold(*healed);
  if (error) out["error"] = error->ToJson();
  return out;
}

json::object RunQuestion::ToJson() const {
  return {{"text", text}, {"why", why}, {"candidates", candidates}};
}

json::array CandidatesOf(const Ranking& ranking) {
  json::array out;
  for (const RankedElement& one : ranking.best) {
    const model::Fingerprint& element = one.element.fingerprint;
    json::object row{{"role", element.role}, {"name", element.name}, {"ref", one.element.ref}};
    if (!element.item.empty()) row["item"] = element.item;
    row["score"] = one.score;
    out.push_back(std::move(row));
  }
  return out;
}

json::object PredictedReport::ToJson() const {
  json::object out{{"run", run.value()},
                   {"workflow", workflow},
                   {"session", session.value()},
                   {"outcome", NameIn(kRunOutcomes, outcome)},
                   {"reason", reason}};
  json::array& rows = out["steps"].emplace_array();
  for (const StepReport& step : steps) rows.push_back(step.ToJson());
  if (question) out["question"] = question->ToJson();
  if (error) out["error"] = error->ToJson();
  out["numbers"] = {{"iterations", iterations},
                    {"executed", CountDecided(steps, StepDecision::kExecuted)},
                    {"skipped", CountDecided(steps, StepDecision::kSkipped)},
                    {"by_model", std::ranges::count(steps, ChosenBy::kModel, &StepReport::by)},
                    {"took_ms", MsOf(took)},
                    {"stood_still_ms", MsOf(stood_still)},
                    {"deciding_ms", MsOf(deciding)}};
  return out;
}

}  // namespace falconer::predict
