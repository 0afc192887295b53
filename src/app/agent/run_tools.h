#pragma once
// RunTools: the tools of one run: those that every agent has, with what this run was told so far.

#include <string>

#include "agent/tools/tool_box.h"
#include "api/tools/catalog.h"
#include "api/tools/catalog_box.h"

namespace falconer::app {

class RunTools final : public agent::ToolBox {
 public:
  // `host` must outlive this.
  RunTools(api::ToolHost& host, std::string run, std::int64_t times_resumed = 0);

  std::vector<const agent::ToolDescriptor*> Tools() const override { return box_.Tools(); }
  Task<agent::ToolResult> Call(CallContext ctx, agent::ToolCall call) override {
    return box_.Call(std::move(ctx), std::move(call));
  }
  // Which session the tools mean by a name.
  browser::SessionKey KeyOf(const api::ToolRooms& rooms, const std::string& session) const {
    return context_.KeyOf(rooms, session);
  }

 private:
  api::ToolContext context_;
  api::ToolCatalog catalog_;
  api::CatalogBox box_;
};

}  // namespace falconer::app
