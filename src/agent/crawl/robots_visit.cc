#include "agent/crawl/robots_visit.h"

#include <utility>

#include "agent/crawl/normalized_url.h"
#include "base/async/aside.h"

namespace falconer::agent {
namespace {

constexpr auto kFileTime = std::chrono::seconds(20);
// What an action may read.
constexpr std::int64_t kMostFileChars = 1'000'000;
constexpr std::size_t kMostFileBytes = 50UZ << 20U;
constexpr engine::SessionWish kPlainSession = {.scripts = browser::PageScripts::kRun,
                                               .parts = browser::PageParts::kWords,
                                               .looks = engine::StateLooks::kForRules};

// A file that the browser does not show comes down, and is kept with the session's artifacts.
Task<Result<std::string>> KeptFile(CallContext ctx, CrawlRooms rooms, const VisitSession* session,
                                   model::ActionExecutionResult result) {
  if (result.artifacts.empty()) co_return Fail(ErrorCode::kDownloadFailed, "the file was not kept");
  co_return co_await Aside(
      std::move(ctx), [manager = &rooms.runtime->parts().artifacts, tenant = rooms.caller.tenant,
                       workflow = session->workflow(), id = result.artifacts.front().artifact_id] {
        return manager->Read({.tenant = tenant, .workflow = workflow}, id, 0, kMostFileBytes);
      });
}

json::object OpenFileContract(const std::string& url) {
  return {{"action_spec", {{"action_type", "navigate"}, {"url", url}, {"wait_until", "load"}}}};
}

json::object ReadShownContract(FileMarkup markup) {
  return {{"action_spec",
           {{"action_type", "extract"},
            {"extract",
             {{"what", markup == FileMarkup::kText ? "text" : "html"},
              {"max_chars", kMostFileChars}}}}}};
}

Task<Result<PlainFile>> ReadFileIn(CallContext ctx, CrawlHost* host, VisitSession* session,
                                   std::string url, FileMarkup markup) {
  CO_TRY_ASSIGN(const auto opened, co_await session->Act(ctx, OpenFileContract(url), kFileTime));
  const json::object* navigation = OutcomePart(opened, "navigation");
  PlainFile file;
  if (navigation == nullptr) {
    CO_TRY_ASSIGN(const CrawlRooms rooms, host->Rooms());
    CO_TRY_ASSIGN(const auto brought, co_await BringFile(ctx, session, url, kFileTime));
    CO_TRY_ASSIGN(file.text, co_await KeptFile(ctx, rooms, session, brought));
    co_return file;
  }
  if (const json::value* status = navigation->if_contains("status"))
    file.status = static_cast<int>(status->to_number<std::int64_t>());
  CO_TRY_ASSIGN(const auto read, co_await session->Act(ctx, ReadShownContract(markup), kFileTime));
  const json::object* found = OutcomePart(read, "extracted");
  if (found == nullptr) co_return Fail(ErrorCode::kActionExecutionFailed, "nothing was read");
  file.text = TextAt(*found, markup == FileMarkup::kText ? "text" : "html");
  file.is_truncated = IsTrueAt(*found, "truncated");
  co_return file;
}

Task<Result<RobotsAnswer>> FetchRobots(CallContext ctx, SessionPool* pool, std::string origin) {
  auto file =
      co_await ReadPlainFile(std::move(ctx), pool, origin + "/robots.txt", FileMarkup::kText);
  if (!file) co_return std::unexpected(Error(file.error()).In("robots.txt"));
  co_return RobotsAnswer{.status = file->status, .text = std::move(file->text)};
}

}  // namespace

Task<Result<model::ActionExecutionResult>> BringFile(CallContext ctx, VisitSession* session,
                                                     std::string url,
                                                     std::chrono::milliseconds timeout) {
  return session->Act(std::move(ctx),
                      {{"action_spec", {{"action_type", "download_trigger"}, {"url", url}}}},
                      timeout);
}

Task<Result<PlainFile>> ReadPlainFile(CallContext ctx, SessionPool* pool, std::string url,
                                      FileMarkup markup) {
  const std::string host = HostAndPortOf(url);
  auto session = pool->Take(host, kPlainSession);
  auto file = co_await ReadFileIn(ctx, &pool->host(), session.get(), std::move(url), markup);
  if (file) {
    co_await pool->Give(std::move(ctx), host, std::move(session));
  } else {
    co_await session->Close(std::move(ctx));
  }
  co_return file;
}

Task<Result<RobotsRules>> RobotsOf(CallContext ctx, CrawlDesk* desk, SessionPool* pool,
                                   std::string url) {
  const std::string origin = OriginOf(url);
  co_return co_await desk->robots().For(std::move(ctx), origin, [pool, origin](CallContext inner) {
    return FetchRobots(std::move(inner), pool, origin);
  });
}

Task<Result<void>> AskRobots(CallContext ctx, CrawlDesk* desk, SessionPool* pool, std::string url) {
  if (!desk->settings().respect_robots) co_return Result<void>();
  CO_TRY_ASSIGN(const RobotsRules rules, co_await RobotsOf(std::move(ctx), desk, pool, url));
  if (const auto delay = rules.crawl_delay()) desk->line().SetDelay(HostAndPortOf(url), *delay);
  if (rules.Allows(PathAndQueryOf(url))) co_return Result<void>();
  co_return Fail(Error(ErrorCode::kPolicyDenied,
                       "robots.txt of " + OriginOf(url) + " does not allow crawls of this page",
                       {{"reason", "robots"}, {"url", url}}));
}

}  // namespace falconer::agent
