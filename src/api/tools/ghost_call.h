#pragma once
// How the server reads pages from their pictures: the reader of agent/ghost, with the rooms and the
// guard of who asks.

#include <functional>

#include "agent/ghost/ghost_reader.h"
#include "api/tools/tool_host.h"
#include "api/tools/view_guard.h"

namespace falconer::api {

using OpenRooms = std::function<Result<ToolRooms>()>;

// The guard, and what `open` uses, must outlive the reader. Fails as opening the rooms does, and
// with kUnsupported where there is nothing to read pictures with.
Result<agent::GhostReader> MakeGhostReader(OpenRooms open, ViewGuard& guard);

}  // namespace falconer::api
