#pragma once
// RunResult: how a run ended, and everything by which it can be told again. Plain data.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/loop/run_config.h"
#include "agent/loop/run_state.h"
#include "agent/loop/run_step.h"
#include "base/ids.h"

namespace falconer::agent {

// What one provider, or all of them, came to.
struct ProviderShare {
  std::int64_t answers = 0;
  TokenUsage usage = {};
  std::int64_t cost_micros = 0;

  void Add(const RunStep& step);
  json::object ToJson() const;
};

// For replay: what the run was given, and what it came to.
struct RunSummary {
  std::string task;
  json::object config_snapshot;
  std::vector<std::string> tools;  // that were offered
  json::array policy_denials;      // {"step", "tool", "code", "reason"}
  ProviderShare total;
  std::map<std::string, ProviderShare> by_provider;
  // People decided, drove, or had paused it.
  Duration stood_still{0};
  std::int64_t times_resumed = 0;

  json::object ToJson() const;
};

struct RunResult {
  RunId run_id;
  bool success = false;
  StopReason stop_reason = StopReason::kInternalError;
  std::string response = {};
  std::vector<std::string> artifacts = {};
  std::vector<RunStep> trace = {};
  std::int64_t steps = 0;
  Duration wall_time{0};  // without what stood still
  std::optional<Error> error = std::nullopt;
  RunSummary summary = {};

  // The trace, one row for each call, is under "trace".
  json::object ToJson() const;
  // The same without the trace: for the record beside those of the steps.
  json::object ToShortJson() const;
};

}  // namespace falconer::agent
