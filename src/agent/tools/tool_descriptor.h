#pragma once
// ToolDescriptor: what is known of a tool before it is called. There is one for each tool, and
// everybody goes by it: MCP, the server's routes and the agent's loop.

#include <chrono>
#include <cstdint>
#include <string>

#include "agent/tools/schema_check.h"
#include "base/json/json_reader.h"

namespace falconer::agent {

enum class SideEffect : std::uint8_t {
  kRead,     // changes nothing
  kWrite,    // changes the page, or what is behind it
  kDestroy,  // may undo or destroy
  kAuth,     // uses credentials
};

// As the trace and the routes name them; what destroys is a write.
inline constexpr EnumName<SideEffect> kSideEffects[] = {
    {SideEffect::kRead, "read"},
    {SideEffect::kWrite, "write"},
    {SideEffect::kDestroy, "write"},
    {SideEffect::kAuth, "auth"},
};

// How often, and after how long, a call is made again that failed with what may pass. Only what
// reads is ever called again: nobody knows what a failed write has done.
struct RetryProfile {
  int retries = 0;
  std::chrono::milliseconds pause{250};
};

// Who ends a call that takes too long.
enum class Timekeeper : std::uint8_t {
  kDispatcher,
  kTool,  // the tool itself, for whom time stands still while people decide
};

struct ToolDescriptor {
  std::string name;
  std::string title;
  std::string description;
  std::string group;  // "core" is always there; others by flag
  SideEffect effect = SideEffect::kWrite;
  json::object input_schema;
  // Of ToolResult::structured; empty for a tool that answers with text alone.
  json::object result_schema = {};
  // For one call with all its tries.
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  RetryProfile retry = {};
  // What its caller's token must grant; "" when that depends on what the call does.
  std::string capability = {};
  Timekeeper timekeeper = Timekeeper::kDispatcher;
  SchemaStrictness strictness = SchemaStrictness::kEveryKeyword;
  // What arguments are checked against where more is taken than is offered; empty: input_schema.
  json::object accepted_schema = {};

  const json::object& checked_schema() const {
    return accepted_schema.empty() ? input_schema : accepted_schema;
  }
  // All of it: {"name", "title", "description", "group", "side_effect_class", "timeout_ms",
  // "retry_profile", "capability", "args_schema", "result_schema"?}.
  json::object ToJson() const;
};

// For who registers a tool. kValidationError when it has no name, no time, retries what does not
// read, or has a schema that CheckSchema refuses.
Result<void> CheckDescriptor(const ToolDescriptor& tool);

}  // namespace falconer::agent
