#pragma once
// RunEvent: what is told of a run while it goes on, to whoever watches.

#include <functional>
#include <string>

#include "base/json/json.h"

namespace falconer::agent {

struct RunEvent {
  // "state", "text", "restart", "tool_started", "tool_ended", "usage", "paused", "resumed",
  // "handed_over", "handed_back", "waiting_for_approval", "approval_over", "stopped".
  std::string name;
  json::object facts;
};

// Must not wait. Empty for nobody.
using RunSink = std::function<void(RunEvent event)>;

}  // namespace falconer::agent
