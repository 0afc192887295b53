#include "app/serve/mcp_sessions.h"

#include <memory>
#include <utility>

#include "app/mcp/mcp_kit.h"

namespace falconer::app {
namespace {

Task<void> StopKit(std::shared_ptr<McpKit> kit, Error reason) {
  co_await kit->Stop(std::move(reason));
}

}  // namespace

api::McpHttpSetup McpSessions(Program& program, LazyHost& host, ClientApprovals& approvals,
                              std::set<std::string_view> groups) {
  const auto tools = [&program, &host, &approvals,
                      groups = std::move(groups)](const api::McpClient&) {
    auto kit = std::make_shared<McpKit>(program, host, approvals);
    api::McpOffer offer = kit->Offer(groups);
    return api::SessionTools{
        .offer = std::move(offer),
        .stop = [kit = std::move(kit)](Error reason) { return StopKit(kit, std::move(reason)); }};
  };
  return {.tools = tools, .identity = McpIdentity()};
}

}  // namespace falconer::app
