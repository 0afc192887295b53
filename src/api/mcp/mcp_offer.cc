#include "api/mcp/mcp_offer.h"

#include <utility>

#include "api/mcp/listening.h"
#include "api/mcp/resource_methods.h"

namespace falconer::api {
namespace {

void Append(std::vector<McpMethod>& to, std::vector<McpMethod> more) {
  for (McpMethod& method : more) to.push_back(std::move(method));
}

}  // namespace

json::object McpOffer::ListCapability(OfferChange what) const {
  if (!TellsOf(what)) return {};
  return {{"listChanged", true}};
}

json::object McpOffer::Capabilities(McpEra era) const {
  json::object capabilities{{"tools", ListCapability(OfferChange::kTools)}};
  if (resources) {
    json::object capability = ListCapability(OfferChange::kResources);
    if (TellsOf(OfferChange::kResource)) capability["subscribe"] = true;
    capabilities["resources"] = std::move(capability);
  }
  if (!prompts.empty()) capabilities["prompts"] = ListCapability(OfferChange::kPrompts);
  if (completer) capabilities["completions"] = json::object();
  if (has_logs) capabilities["logging"] = json::object();
  if (era == McpEra::kModern && tools.HasTasks())
    capabilities["extensions"] = NeedsTasks().at("extensions");
  return capabilities;
}

std::vector<McpMethod> McpOffer::Methods() const {
  std::vector<McpMethod> methods;
  if (resources) Append(methods, ResourceMethods(resources));
  if (!prompts.empty()) Append(methods, PromptMethods(prompts));
  if (completer) methods.push_back(CompletionMethod(completer));
  if (changes) methods.push_back(ListenMethod(changes));
  return methods;
}

}  // namespace falconer::api
