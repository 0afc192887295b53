#include "api/tools/catalog.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "api/tools/audit_tools.h"
#include "api/tools/capture_tools.h"
#include "api/tools/contract_tools.h"
#include "api/tools/crawl_tools.h"
#include "api/tools/form_tools.h"
#include "api/tools/ghost_tools.h"
#include "api/tools/log_tools.h"
#include "api/tools/navigation_tools.h"
#include "api/tools/node_catalog.h"
#include "api/tools/page_tools.h"
#include "api/tools/pointer_tools.h"
#include "api/tools/predict_tools.h"

namespace falconer::api {
namespace {

using Rows = std::vector<ToolRow> (*)();

constexpr Rows kFiles[] = {NavigationTools, PageTools,  PointerTools,  FormTools,
                           CaptureTools,    LogTools,   ContractTools, AuditTools,
                           CrawlTools,      GhostTools, PredictTools};

constexpr std::string_view kGroups[] = {kCoreGroup, kContractGroup, kAuditGroup, kCrawlGroup,
                                        kPredictGroup};
constexpr std::string_view kAllGroups = "all";

}  // namespace

Result<std::set<std::string_view>> ParseGroups(std::string_view text) {
  std::set<std::string_view> groups = {kCoreGroup};
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const auto* const known = std::ranges::find(kGroups, name);
    if (name == kAllGroups) {
      groups.insert(std::begin(kGroups), std::end(kGroups));
    } else if (known != std::end(kGroups)) {
      groups.insert(*known);
    } else {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("--tools: there is no group \"{}\"; there are {}, all", name,
                              fmt::join(kGroups, ", ")));
    }
  }
  return groups;
}

ToolCatalog MakeCatalog(ToolContext& context, const std::set<std::string_view>& groups) {
  std::vector<Tool> tools;
  for (const Rows rows : kFiles) {
    for (ToolRow& row : rows()) {
      if (groups.contains(row.info.group)) tools.push_back(MakeTool(context, std::move(row)));
    }
  }
  if (agent::NodeTools* nodes = context.host().Nodes()) {
    for (Tool& tool : NodeCatalog(context, *nodes)) tools.push_back(std::move(tool));
  }
  return ToolCatalog(std::move(tools), context.dispatcher());
}

}  // namespace falconer::api
