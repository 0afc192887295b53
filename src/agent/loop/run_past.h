#pragma once
// RunPast: what the records say of a run: for whoever takes it up again, and whoever asks about it.

#include <optional>
#include <string>
#include <vector>

#include "agent/loop/run_config.h"
#include "agent/loop/run_state.h"
#include "agent/loop/run_step.h"

namespace falconer::agent {

struct RunPast {
  std::string task;
  RunConfig config;
  // What was planned and has no outcome on record is there too, with unknown outcomes.
  std::vector<RunStep> steps;
  bool ends_planned = false;  // the last step is such a one
  Duration used{0};           // of its wall time
  std::int64_t times_resumed = 0;
  // How it ended, and the result then; nothing for one that was broken off.
  std::optional<StopReason> closed = std::nullopt;
  json::object result = {};
};

// From the records of a run, oldest first. kNotFound when there are none, kLedgerDamaged, naming
// the record, for what cannot be read.
Result<RunPast> ReadRunPast(const std::vector<json::object>& records);

}  // namespace falconer::agent
