#pragma once
// McpOffer: what a server has for its clients. What it has not is not spoken of, and its methods
// are unknown.

#include <memory>
#include <vector>

#include "api/mcp/change_feed.h"
#include "api/mcp/completer.h"
#include "api/mcp/prompt.h"
#include "api/mcp/resource_source.h"
#include "api/mcp/tool.h"

namespace falconer::api {

struct McpOffer {
  // Nothing but tools.
  McpOffer(ToolCatalog only_tools) : tools(std::move(only_tools)) {}

  ToolCatalog tools;
  std::shared_ptr<ResourceSource> resources;
  std::vector<Prompt> prompts;
  std::shared_ptr<Completer> completer;
  // Null when nothing of it ever changes.
  std::shared_ptr<ChangeFeed> changes;
  // Whether its tools write to logs of clients.
  bool has_logs = false;

  // As clients are told.
  json::object Capabilities(McpEra era) const;
  // How requests for all but the tools are answered.
  std::vector<McpMethod> Methods() const;

 private:
  bool TellsOf(OfferChange what) const { return changes && changes->TellsOf(what); }
  json::object ListCapability(OfferChange what) const;
};

}  // namespace falconer::api
