#pragma once
// RunChild: another program, run once as an isolated child, with what it may use bounded by the
// system and not by its good will.

#include "agent/nodes/child_spec.h"
#include "base/async/call_context.h"
#include "base/json/json.h"

namespace falconer::agent {

struct ChildEnd {
  int exit_code = 0;
  std::string output;
  std::string errors;  // the end of standard error
  std::chrono::milliseconds cpu_time{0};
  std::int64_t peak_memory_bytes = 0;
  // How it was kept apart, for the record; see ChildProcess::bounds().
  std::vector<std::string> bounds = {};
};

// What the child said and how it ended, whatever its exit code. kToolUnavailable when it cannot be
// started, kToolTimeout when it took too long, kBudgetExceeded when it used more memory, time
// of the processor or output than it may, kExecutionError when a signal ended it, and the reason of
// ctx. The details of an error are those of ChildFacts. Nothing of it runs any more when this
// returns.
Task<Result<ChildEnd>> RunChild(CallContext ctx, ChildSpec spec);

// {"cpu_ms", "memory_bytes", "bounds", "errors"?}
json::object ChildFacts(const ChildEnd& end);

}  // namespace falconer::agent
