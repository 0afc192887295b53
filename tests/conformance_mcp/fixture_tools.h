#pragma once
// The tools that the conformance suite of MCP calls by name. What each must do is written in the
// suite's scenarios.

#include <memory>
#include <string_view>
#include <vector>

#include "api/mcp/change_feed.h"
#include "api/mcp/tool.h"

namespace falconer::test {

using FixtureRun = Task<api::ToolAnswer> (*)(CallContext ctx, api::ToolCall call);

// One that takes whatever it is given.
api::Tool FixtureTool(std::string_view name, FixtureRun run,
                      json::object schema = {{"type", "object"}});

// Those that answer by themselves.
std::vector<api::Tool> PlainTools();
// Those that put questions to clients up to 2025-11-25 and wait.
std::vector<api::Tool> WaitingTools();
// Those that put questions to clients of 2026-07-28 by their answers.
std::vector<api::Tool> RepeatedTools();
// Those that become tasks, and one that never does.
std::vector<api::Tool> TaskTools();
// Those that tell of changes.
std::vector<api::Tool> ChangingTools(const std::shared_ptr<api::ChangeFeed>& changes);

}  // namespace falconer::test
