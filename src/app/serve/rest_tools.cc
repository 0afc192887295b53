#include "app/serve/rest_tools.h"

#include "base/random.h"

namespace falconer::app {

RestTools::RestTools(Program& program, LazyHost& host, ClientApprovals& approvals)
    : heard_(approvals) {
  for (const api::Role role : {api::Role::kAgent, api::Role::kOperator}) {
    kits_[role] = std::make_unique<McpKit>(program, host, heard_,
                                           api::ToolCaller{.run = "rest-" + RandomHex(6)});
  }
}

std::map<api::Role, std::shared_ptr<const api::ToolCatalog>> RestTools::Catalogs(
    const std::set<std::string_view>& groups) {
  std::map<api::Role, std::shared_ptr<const api::ToolCatalog>> catalogs;
  for (const auto& [role, kit] : kits_)
    catalogs[role] = std::make_shared<const api::ToolCatalog>(kit->Tools(groups));
  return catalogs;
}

Task<void> RestTools::Stop(Error reason) {
  for (const auto& [role, kit] : kits_) co_await kit->Stop(reason);
}

}  // namespace falconer::app
