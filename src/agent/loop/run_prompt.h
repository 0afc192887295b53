#pragma once
// What the model is told once, and which tools it is offered.

#include <string>
#include <vector>

#include "agent/loop/run_config.h"
#include "agent/providers/chat_request.h"
#include "agent/tools/tool_box.h"

namespace falconer::agent {

// `tools` says how the tools are spoken to; "" for nothing.
std::string SystemPrompt(std::string_view tools, const RunConfig& config);

// Those of the box that the run may use.
std::vector<const ToolDescriptor*> AllowedTools(const ToolBox& box, const RunConfig& config);
// As a model is told of it. Which session it is for, and whether pictures may be read, is not the
// model's to say.
ToolOffer OfferOf(const ToolDescriptor& tool);
// The arguments with what the run says about that, as far as the tool takes it.
json::object AsTheRunSays(const ToolDescriptor& tool, json::object arguments,
                          const RunConfig& config);

}  // namespace falconer::agent
