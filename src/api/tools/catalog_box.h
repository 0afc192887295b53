#pragma once
// CatalogBox: the tools of a catalog for the agent's loop. The same tools, checks, times, retries
// and trace as MCP and the routes have: all of them go through the catalog's dispatcher.

#include <set>
#include <string>
#include <vector>

#include "agent/tools/tool_box.h"
#include "api/mcp/tool.h"

namespace falconer::api {

class CatalogBox final : public agent::ToolBox {
 public:
  // The catalog, and the context its tools use, must outlive the box.
  explicit CatalogBox(const ToolCatalog& catalog);
  // Only those of these names; names that the catalog lacks are passed over.
  CatalogBox(const ToolCatalog& catalog, const std::set<std::string, std::less<>>& names);

  std::vector<const agent::ToolDescriptor*> Tools() const override;
  Task<agent::ToolResult> Call(CallContext ctx, agent::ToolCall call) override;

 private:
  const Tool* Find(std::string_view name) const;

  const ToolCatalog& catalog_;
  std::vector<const Tool*> tools_;
};

// A result as the loop wants it: pictures as the bytes they are.
agent::ToolResult WithPicture(agent::ToolResult result, const ToolAnswer& answer);

}  // namespace falconer::api
