#include "app/mcp/mcp_kit.h"

#include <memory>
#include <utility>

#include "api/tools/artifact_resources.h"
#include "api/tools/catalog.h"
#include "app/version.h"

namespace falconer::app {

McpKit::McpKit(Program& program, LazyHost& host, api::PendingApprovals& approvals,
               api::ToolCaller caller)
    : context_(host, std::string(Version()), std::move(caller)),
      calls_(program.executor(), program.clock(), approvals,
             [this](const std::string& session) { return context_.PageOf(session); },
             {.pending_after = program.settings().approvals.pending_after}) {
}

api::ToolCatalog McpKit::Tools(const std::set<std::string_view>& groups) {
  return calls_.Wrap(api::MakeCatalog(context_, groups));
}

api::McpOffer McpKit::Offer(const std::set<std::string_view>& groups) {
  api::McpOffer offer(Tools(groups));
  offer.resources = std::make_shared<api::ArtifactResources>(context_);
  return offer;
}

api::ServerIdentity McpIdentity() {
  return {.name = "falconer",
          .title = "Falconer",
          .version = std::string(Version()),
          .instructions = std::string(api::kInstructions)};
}

}  // namespace falconer::app
