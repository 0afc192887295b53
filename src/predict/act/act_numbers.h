#pragma once
// ActNumbers: the counters of acting by prediction, since the start.

#include <cstdint>

#include "base/async/clock.h"
#include "base/json/json.h"

namespace falconer::predict {

struct ActNumbers {
  std::int64_t decisions = 0;        // what is next was asked, and something was known
  double confidence_sum = 0;         // of the best of each
  Duration deciding{0};              // from looking at the page until it was decided
  std::int64_t executions = 0;       // steps that were carried out
  std::int64_t executions_done = 0;  // and went well
  std::int64_t unsafe_filtered = 0;  // left to people for what they could do
  std::int64_t asked_people = 0;     // runs that ended with a question
  std::int64_t asked_model = 0;
  std::int64_t model_tokens = 0;
  std::int64_t healed = 0;
  std::int64_t heals_refused = 0;
  std::int64_t intents = 0;
  std::int64_t intents_from_cache = 0;
  std::int64_t probes = 0;        // looks at a page for what is on it
  std::int64_t probes_saved = 0;  // what was prepared before still held
};

// Ratios too, each 0 while there is nothing to divide by.
inline json::object ToJson(const ActNumbers& n) {
  const auto ratio = [](double part, std::int64_t all) {
    return all == 0 ? 0.0 : part / static_cast<double>(all);
  };
  const double ms = std::chrono::duration<double, std::milli>(n.deciding).count();
  return {{"decisions", n.decisions},
          {"average_decision_confidence", ratio(n.confidence_sum, n.decisions)},
          {"average_decision_time_ms", ratio(ms, n.decisions)},
          {"total_executions", n.executions},
          {"successful_executions", n.executions_done},
          {"execution_success_rate", ratio(static_cast<double>(n.executions_done), n.executions)},
          {"unsafe_filtered", n.unsafe_filtered},
          {"asked_people", n.asked_people},
          {"asked_model", n.asked_model},
          {"model_tokens", n.model_tokens},
          {"healed", n.healed},
          {"heals_refused", n.heals_refused},
          {"intents", n.intents},
          {"intents_from_cache", n.intents_from_cache},
          {"probes", n.probes},
          {"probes_saved", n.probes_saved}};
}

}  // namespace falconer::predict
