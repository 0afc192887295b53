#include "app/mcp/mcp_kit.h"

#include <memory>

#include "api/tools/artifact_resources.h"
#include "api/tools/catalog.h"
#include "app/version.h"

namespace falconer::app {

McpKit::McpKit(Program& program, LazyHost& host, api::PendingApprovals& approvals)
    : context_(host, std::string(Version())),
      calls_(program.executor(), program.clock(), approvals,
             [this](const std::string& session) { return context_.PageOf(session); },
             {.pending_after = program.settings().approvals.pending_after}) {
}

api::McpOffer McpKit::Offer(const std::set<std::string_view>& groups) {
  api::McpOffer offer(calls_.Wrap(api::MakeCatalog(context_, groups)));
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
