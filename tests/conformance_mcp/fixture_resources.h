#pragma once
// The resources and prompts that the conformance suite of MCP asks for by name.

#include <memory>
#include <vector>

#include "api/mcp/completer.h"
#include "api/mcp/prompt.h"
#include "api/mcp/resource_source.h"

namespace falconer::test {

std::shared_ptr<api::ResourceSource> FixtureResources();
std::vector<api::Prompt> FixturePrompts();
// Proposes what begins with what was typed.
std::shared_ptr<api::Completer> FixtureCompleter();

}  // namespace falconer::test
