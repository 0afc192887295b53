#include "app/agent/run_tools.h"

#include <utility>

#include "app/version.h"

namespace falconer::app {
namespace {

// Which of them a run may use is said by name.
const std::set<std::string_view> kEveryGroup = {api::kCoreGroup, api::kContractGroup,
                                                api::kAuditGroup, api::kCrawlGroup};

}  // namespace

RunTools::RunTools(api::ToolHost& host, std::string run, std::int64_t times_resumed)
    : context_(host, std::string(Version()),
               {.run = std::move(run),
                .mode = agent::CallMode::kInternal,
                .times_resumed = times_resumed}),
      catalog_(api::MakeCatalog(context_, kEveryGroup)),
      box_(catalog_) {
}

}  // namespace falconer::app
