#include "predict/act/effect_seen.h"

#include <algorithm>

namespace falconer::predict {
namespace {

// Rules that hold where nothing happened.
constexpr model::RuleType kQuietRules[] = {
    model::RuleType::kInvariant, model::RuleType::kNoNewErrors, model::RuleType::kConsoleClean};

bool TellsOfEffect(const model::RuleOutcome& outcome) {
  return outcome.verdict == model::RuleVerdict::kPassed &&
         std::ranges::find(kQuietRules, outcome.type) == std::end(kQuietRules);
}

bool AskedTheNetwork(const model::ActionExecutionResult& result) {
  if (!result.network_summary) return false;
  const json::value* requests = result.network_summary->if_contains("requests");
  return requests != nullptr && requests->is_number() && requests->to_number<double>() > 0;
}

}  // namespace

bool HadEffect(const model::ActionExecutionResult& result) {
  const bool is_other_page = !result.pre_state_id.empty() && !result.post_state_id.empty() &&
                             result.pre_state_id != result.post_state_id;
  if (is_other_page || AskedTheNetwork(result)) return true;
  return result.verification && std::ranges::any_of(result.verification->outcomes, TellsOfEffect);
}

}  // namespace falconer::predict
