#pragma once
// GuardedCrawls: crawls as the ways in have them: everything they show of pages goes through the
// guard of the server that was asked.

#include "agent/crawl/crawl_host.h"
#include "api/tools/ghost_call.h"

namespace falconer::api {

class GuardedCrawls final : public agent::CrawlHost {
 public:
  // The guard must outlive this, and `rooms` must tell it what texts go through.
  GuardedCrawls(OpenRooms rooms, ViewGuard& guard) : rooms_(std::move(rooms)), guard_(guard) {}

  Result<agent::CrawlRooms> Rooms() override;
  Task<Result<std::string>> CleanText(CallContext ctx, std::string text) override;
  std::string CleanLine(std::string_view text) override { return guard_.Clean(text); }
  void CleanValue(json::value& value) override { guard_.Clean(value); }
  Task<Result<agent::GhostResult>> ReadPicture(CallContext ctx, agent::GhostWish wish) override;

 private:
  OpenRooms rooms_;
  ViewGuard& guard_;
};

}  // namespace falconer::api
