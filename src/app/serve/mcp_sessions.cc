#include "app/serve/mcp_sessions.h"

#include <memory>
#include <utility>

#include "api/http/role.h"
#include "app/mcp/mcp_kit.h"
#include "app/serve/heard_approvals.h"

namespace falconer::app {
namespace {

Task<void> StopKit(std::shared_ptr<McpKit> kit, Error reason) {
  co_await kit->Stop(std::move(reason));
}

}  // namespace

api::McpHttpSetup McpSessions(Program& program, LazyHost& host, ClientApprovals& approvals,
                              std::set<std::string_view> groups) {
  const auto heard = std::make_shared<HeardApprovals>(approvals);
  const auto tools = [&program, &host, &approvals, heard,
                      groups = std::move(groups)](const api::McpClient& client) {
    const bool may_decide = client.role == NameIn(api::kRoles, api::Role::kOperator);
    auto kit = may_decide ? std::make_shared<McpKit>(program, host, approvals)
                          : std::make_shared<McpKit>(program, host, *heard);
    api::McpOffer offer = kit->Offer(groups);
    return api::SessionTools{
        .offer = std::move(offer),
        .stop = [kit = std::move(kit)](Error reason) { return StopKit(kit, std::move(reason)); }};
  };
  return {.tools = tools, .identity = McpIdentity()};
}

}  // namespace falconer::app
