#include "agent/crawl/crawl_desk.h"

#include <utility>

namespace falconer::agent {

CrawlDesk::CrawlDesk(const Settings::Crawl& settings, std::filesystem::path folder)
    : settings_(settings),
      line_({.delay = settings.delay,
             .max_delay = settings.max_delay,
             .per_host = static_cast<std::size_t>(settings.per_host),
             .at_once = static_cast<std::size_t>(settings.at_once),
             .max_waiting = static_cast<std::size_t>(settings.max_waiting)}),
      robots_(settings.user_agent_name),
      cache_({.folder = std::move(folder),
              .most_bytes = static_cast<std::uint64_t>(settings.cache_bytes)}) {
}

}  // namespace falconer::agent
