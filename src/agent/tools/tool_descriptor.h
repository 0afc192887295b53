#pragma once
// ToolDescriptor: what is known of a tool before it is called. There is one for each tool, and
// everybody goes by it: MCP, the server's routes and the agent's loop.

#include <chrono>
#include <cstdint>
#include <string>

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
};

}  // namespace falconer::agent
