#pragma once
// CrawlHost: what crawls get from where they run: the runtime and on whose behalf they use it, and
// how texts of pages are made fit to be shown.

#include <string>
#include <string_view>

#include "agent/ghost/ghost_result.h"
#include "base/async/call_context.h"
#include "base/json/json.h"
#include "engine/runtime.h"

namespace falconer::agent {

class CrawlDesk;

struct CrawlRooms {
  engine::Runtime* runtime = nullptr;
  engine::Caller caller;
  CrawlDesk* desk = nullptr;
};

class CrawlHost {
 public:
  virtual ~CrawlHost() = default;

  // Asked for each contract: tokens do not last. Fails as opening the rooms does; kUnsupported
  // where nothing is crawled.
  virtual Result<CrawlRooms> Rooms() = 0;
  // A long text of a page as it may be shown, line by line.
  virtual Task<Result<std::string>> CleanText(CallContext ctx, std::string text) = 0;
  // A short one, and every text in a value.
  virtual std::string CleanLine(std::string_view text) = 0;
  virtual void CleanValue(json::value& value) = 0;
  // A page that may have to be read from its picture, by GhostReader. kUnsupported where none are.
  virtual Task<Result<GhostResult>> ReadPicture(CallContext ctx, GhostWish wish) = 0;
};

}  // namespace falconer::agent
