#pragma once
// RunLog: where a run is put on record, and read again. The loop knows nothing else of the ledger.
//
// The records of a run, in their order; each has "run" and "event":
//   run_opened   task, config, session; or, when it is taken up again, resumed: true
//   run_planned  step: what is about to be done, before anything that writes
//   run_step     step: what came of it
//   run_closed   result: the whole RunResult, without the trace that the steps are

#include <string_view>
#include <vector>

#include "base/async/call_context.h"
#include "base/json/json.h"

namespace falconer::agent {

inline constexpr std::string_view kRunOpened = "run_opened";
inline constexpr std::string_view kRunPlanned = "run_planned";
inline constexpr std::string_view kRunStep = "run_step";
inline constexpr std::string_view kRunClosed = "run_closed";

class RunLog {
 public:
  virtual ~RunLog() = default;
  // Answers once it is durable, in the order of the calls. Fails when it is not. What is secret in
  // it is masked.
  virtual Task<Result<void>> Append(json::object record) = 0;
  // All of a run, oldest first; empty when nothing is known of it.
  virtual Task<Result<std::vector<json::object>>> Read(CallContext ctx, RunId run) = 0;
};

}  // namespace falconer::agent
