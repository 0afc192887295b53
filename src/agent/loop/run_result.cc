#include "agent/loop/run_result.h"

#include <utility>

namespace falconer::agent {
namespace {

std::int64_t ResultMs(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

}  // namespace

void ProviderShare::Add(const RunStep& step) {
  ++answers;
  usage.input += step.usage.input;
  usage.cached_input += step.usage.cached_input;
  usage.output += step.usage.output;
  usage.is_estimated |= step.usage.is_estimated;
  cost_micros += step.cost_micros;
}

json::object ProviderShare::ToJson() const {
  return {{"answers", answers}, {"usage", agent::ToJson(usage)}, {"cost_micros", cost_micros}};
}

json::object RunSummary::ToJson() const {
  json::object providers;
  for (const auto& [name, share] : by_provider) providers[name] = share.ToJson();
  return {{"task", task},
          {"config_snapshot", config_snapshot},
          {"tools", json::array(tools.begin(), tools.end())},
          {"policy_denials", policy_denials},
          {"total", total.ToJson()},
          {"providers", std::move(providers)},
          {"stood_still_ms", ResultMs(stood_still)},
          {"times_resumed", times_resumed}};
}

json::object RunResult::ToShortJson() const {
  json::object out{{"run_id", run_id.value()},
                   {"success", success},
                   {"stop_reason", NameIn(kStopReasons, stop_reason)},
                   {"response", response},
                   {"artifacts", json::array(artifacts.begin(), artifacts.end())},
                   {"steps", steps},
                   {"wall_time_ms", ResultMs(wall_time)},
                   {"error", nullptr},
                   {"summary", summary.ToJson()}};
  if (error)
    out["error"] = json::object{
        {"code", error->name()}, {"message", error->message()}, {"details", error->details()}};
  return out;
}

json::object RunResult::ToJson() const {
  json::array rows;
  for (const RunStep& step : trace) {
    for (json::value& row : step.CallRows(run_id.value())) rows.push_back(std::move(row));
  }
  json::object out = ToShortJson();
  out["trace"] = std::move(rows);
  return out;
}

}  // namespace falconer::agent
