#pragma once
// ToolStep: what is on the trace of one call of a tool, whoever made it. What it was called with is
// there only as a digest.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::agent {

// Whose calls they are: an agent's outside, or the built-in loop's.
enum class CallMode : std::uint8_t { kExternal, kInternal };

inline constexpr EnumName<CallMode> kCallModes[] = {
    {CallMode::kExternal, "external"},
    {CallMode::kInternal, "internal"},
};

// 12 hex digits of the SHA-256 of the canonical JSON of the arguments.
std::string ArgsHash(const json::object& arguments);

struct ToolStep {
  std::string run_id;
  std::string step_id;
  std::string tool_name;
  std::string args_hash;
  std::chrono::milliseconds duration{0};
  // The kind of the failure, and the stable name of its code; "" for a success.
  std::string error_code = {};
  std::string error = {};
  int tries = 1;
  std::vector<std::string> artifacts = {};
  std::vector<std::string> policy_flags = {};
  std::string render_mode = {};
  CallMode mode = CallMode::kExternal;

  bool ok() const { return error_code.empty(); }
  // {"run_id", "step_id", "tool_name", "args_hash", "duration_ms", "status", "error_code",
  // "artifacts", "policy_flags", "mode", "tries", "error"?, "render_mode"?}; error_code is null
  // for a success.
  json::object ToJson() const;
};

// Where steps go. Nobody waits for that, and a step that cannot be kept fails no call.
class StepTrace {
 public:
  virtual ~StepTrace() = default;
  virtual void Note(const ToolStep& step) = 0;
};

}  // namespace falconer::agent
