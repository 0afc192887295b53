#include "api/tools/guarded_crawls.h"

#include <algorithm>
#include <utility>

#include "api/tools/aside.h"
#include "api/tools/page_lines.h"

namespace falconer::api {
Result<agent::CrawlRooms> GuardedCrawls::Rooms() {
  TRY_ASSIGN(const ToolRooms rooms, rooms_());
  return agent::CrawlRooms{.runtime = rooms.runtime, .caller = rooms.caller, .desk = rooms.crawls};
}

Task<Result<agent::GhostResult>> GuardedCrawls::ReadPicture(CallContext ctx,
                                                            agent::GhostWish wish) {
  CO_TRY_ASSIGN(const agent::GhostReader reader, MakeGhostReader(rooms_, guard_));
  co_return co_await reader.Extract(std::move(ctx), std::move(wish));
}

// What is secret may go over several lines; what reads like an instruction is put away line by
// line, so that the rest of the page stays.
Task<Result<std::string>> GuardedCrawls::CleanText(CallContext ctx, std::string text) {
  CO_TRY_ASSIGN(const ToolRooms rooms, rooms_());
  if (rooms.redactor != nullptr) {
    text = co_await Aside(std::move(ctx),
                          [redactor = rooms.redactor, text = std::move(text)]() mutable {
                            redactor->RedactText(policy::Surface::kModel, text);
                            return std::move(text);
                          });
  }
  std::string clean;
  for (std::string_view left = text; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    clean += api::CleanLine(left.substr(0, end), guard_);
    if (end < left.size()) clean += '\n';
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  co_return clean;
}

}  // namespace falconer::api
