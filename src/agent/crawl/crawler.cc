#include "agent/crawl/crawler.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "agent/crawl/normalized_url.h"
#include "agent/crawl/page_visit.h"
#include "agent/crawl/picture_page.h"
#include "agent/crawl/robots_visit.h"
#include "agent/crawl/sitemap_walk.h"
#include "base/async/aside.h"
#include "base/async/task_scope.h"
#include "base/log.h"
#include "engine/check_look.h"

namespace falconer::agent {
namespace {

// What is kept answers for so long when a crawl asks for it and the settings say nothing.
constexpr auto kUsuallyFresh = std::chrono::hours(24);

// Hosts take turns: what one was visited in is kept for its next turn.
constexpr std::size_t kSpareSessions = 1;

constexpr std::array kHadEnough = {429, 503};
constexpr std::array<std::string_view, 3> kThinQualities = {"blocked", "empty", "minimal"};
constexpr std::array<std::string_view, 5> kPageContent = {"text", "markdown", "html", "links",
                                                          "images"};

engine::SessionWish SessionWishFor(const CrawlWish& wish) {
  const bool is_seen = wish.screenshot != CrawlShot::kOff;
  return {.scripts = wish.javascript ? browser::PageScripts::kRun : browser::PageScripts::kOff,
          .parts = is_seen ? browser::PageParts::kAll : browser::PageParts::kWords,
          // Whoever asked gets what was read of the page, and nothing else of it.
          .looks = engine::StateLooks::kForRules};
}

bool IsThin(const json::object& page) {
  return std::ranges::find(kThinQualities, TextAt(page, "quality")) != kThinQualities.end();
}

CacheUse CacheOf(const CrawlWish& wish, const CrawlDesk& desk) {
  // Pictures are kept elsewhere, and not for as long.
  if (wish.screenshot != CrawlShot::kOff || desk.settings().cache_bytes == 0) return CacheUse::kOff;
  const bool is_on = desk.settings().cache_ttl.count() > 0;
  return wish.cache.value_or(is_on ? CacheUse::kUse : CacheUse::kOff);
}

bool IsFresh(const json::object& entry, const CrawlDesk& desk, WallTime now) {
  const auto set = desk.settings().cache_ttl;
  const std::chrono::milliseconds ttl = set.count() > 0 ? set : kUsuallyFresh;
  const auto stored = std::chrono::milliseconds(entry.at("stored_at").to_number<std::int64_t>());
  return now.time_since_epoch() - stored < ttl;
}

Result<void> CheckWayOut(const CrawlWish& wish) {
  if (wish.proxy.empty()) return {};
  return Fail(ErrorCode::kUnsupported,
              "a crawl has no proxy of its own: see the settings proxy.server and egress.*");
}

void DropContent(json::object& page) {
  for (const std::string_view key : kPageContent) page.erase(key);
}

}  // namespace

// What the visits of one call have in common.
struct Crawler::Round {
  std::shared_ptr<CrawlHost> host;
  CrawlDesk* desk;
  TenantId tenant;
  CrawlForm form;
  std::shared_ptr<VisitGroup> group;
  SessionPool pool;
};

struct Crawler::BatchRun {
  CallContext ctx;
  std::shared_ptr<Round> round;
  CrawlBatch batch;
  BatchCare care;
  std::vector<json::object> pages;
  Result<void> kept = {};  // what became of keeping the pages

  const json::object* Known(const std::string& url) const {
    return care.kept ? care.kept->Known(url) : nullptr;
  }
};

Result<std::shared_ptr<Crawler::Round>> Crawler::Begin(CrawlForm form, std::size_t at_once) const {
  TRY_ASSIGN(const CrawlRooms rooms, host_->Rooms());
  if (rooms.desk == nullptr) return Fail(ErrorCode::kUnsupported, "nothing is crawled here");
  TRY(rooms.desk->line().Admits());
  return std::make_shared<Round>(
      Round{.host = host_,
            .desk = rooms.desk,
            .tenant = rooms.caller.tenant,
            .form = form,
            .group = std::make_shared<VisitGroup>(VisitGroup{.at_once = at_once}),
            .pool = SessionPool(host_, at_once + kSpareSessions)});
}

Task<Result<json::object>> Crawler::Read(CallContext ctx, CrawlWish wish, CrawlForm form) const {
  CO_TRY(CheckWayOut(wish));
  CO_TRY_ASSIGN(const auto round, Begin(form, 1));
  auto page = co_await ReadOne(ctx, round, std::move(wish));
  co_await round->pool.Close(std::move(ctx));
  co_return page;
}

Task<Result<json::object>> Crawler::ReadOne(CallContext ctx, std::shared_ptr<Round> round,
                                            CrawlWish wish) {
  const CacheUse use = CacheOf(wish, *round->desk);
  const std::string id = PageCache::KeyOf(wish, round->form);
  PageCache* cache = &round->desk->cache();
  if (use == CacheUse::kUse) {
    auto kept = co_await Aside(
        ctx, [cache, tenant = round->tenant, id] { return cache->Find(tenant, id); });
    if (kept && IsFresh(*kept, *round->desk, ctx.clock().WallNow())) {
      // Who had it read may have been allowed more than who asks now.
      CO_TRY_ASSIGN(const CrawlRooms rooms, round->host->Rooms());
      CO_TRY(co_await engine::CheckKeptPage(ctx, rooms.runtime, rooms.caller, wish.url));
      json::object page = std::move(kept->at("page").as_object());
      page["cached"] = true;
      co_return page;
    }
  }
  CO_TRY_ASSIGN(json::object page, co_await VisitInTurn(ctx, round, std::move(wish)));
  if (use != CacheUse::kOff) {
    const auto kept =
        co_await Aside(ctx, [cache, tenant = round->tenant, id, page, now = ctx.clock().WallNow()] {
          return cache->Keep(tenant, id, page, now);
        });
    if (!kept) LOG(warn, "crawl.not_kept", {"why", kept.error().message()});
  }
  co_return page;
}

Task<Result<json::object>> Crawler::VisitInTurn(CallContext ctx, std::shared_ptr<Round> round,
                                                CrawlWish wish) {
  CO_TRY_ASSIGN(const auto permit,
                co_await round->desk->line().Enter(ctx, HostAndPortOf(wish.url), round->group));
  CO_TRY(co_await AskRobots(ctx, round->desk, &round->pool, wish.url));
  auto page = co_await Visit(ctx, round, wish);
  if (page && !wish.javascript && wish.retry_with_js_if_thin && IsThin(*page)) {
    wish.javascript = true;
    page = co_await Visit(ctx, round, wish);
  }
  if (!page || !IsForPicture(*page, wish, round->form)) co_return page;
  co_return co_await PageFromPicture(std::move(ctx), round->host.get(), std::move(wish),
                                     *std::move(page));
}

Task<Result<json::object>> Crawler::Visit(CallContext ctx, std::shared_ptr<Round> round,
                                          CrawlWish wish) {
  const std::string host = HostAndPortOf(wish.url);
  auto session = round->pool.Take(host, SessionWishFor(wish));
  PageVisit visit(*round->host, *session, wish, round->form);
  Result<json::object> page = json::object();
  if (const auto opened = co_await visit.Open(ctx); !opened) {
    page = std::unexpected(opened.error());
  } else {
    Result<void> allowed;
    // What leads to a page says nothing about whether the page may be read.
    if (NormalizedUrl(visit.final_url()) != NormalizedUrl(wish.url))
      allowed = co_await AskRobots(ctx, round->desk, &round->pool, visit.final_url());
    page = allowed ? co_await visit.Read(ctx) : std::unexpected(allowed.error());
  }
  HostLine& line = round->desk->line();
  const bool had_enough = std::ranges::find(kHadEnough, visit.status()) != kHadEnough.end();
  if (had_enough) {
    line.Defer(host, ctx.clock().Now());
  } else if (page) {
    line.Restore(host);
  }
  if (page && HostAndPortOf(visit.final_url()) == host) {
    co_await round->pool.Give(std::move(ctx), host, std::move(session));
  } else {
    co_await session->Close(std::move(ctx));
  }
  co_return page;
}

Task<void> Crawler::ReadPage(std::shared_ptr<BatchRun> run, std::size_t at) {
  const CrawlWish& wish = run->batch.wishes[at];
  if (const json::object* known = run->Known(wish.url)) {
    run->pages[at] = *known;
    co_return;
  }
  const auto read = co_await ReadOne(run->ctx, run->round, wish);
  json::object page{{"url", wish.url}, {"success", read.has_value()}};
  const json::object told = page;
  if (read) {
    for (const auto& [key, value] : *read) page[key] = value;
    page["url"] = wish.url;
  } else {
    page["problem"] = run->care.tell(read.error());
  }
  if (const auto kept = co_await KeepPage(run, page); !kept) run->kept = kept;
  if (run->care.news) run->care.news(told);
  run->pages[at] = std::move(page);
}

// What failed only because nobody waits any more is no page.
Task<Result<void>> Crawler::KeepPage(std::shared_ptr<BatchRun> run, json::object page) {
  if (!run->care.kept) co_return Result<void>();
  CO_TRY(run->ctx.StillWanted("the pages"));
  const std::string url = TextAt(page, "url");
  co_return co_await run->care.kept->Keep(run->ctx, url, std::move(page));
}

namespace {

// The first of the wishes that mean the same page, by the place of each.
std::vector<std::size_t> FirstOfSame(const std::vector<CrawlWish>& wishes) {
  std::map<std::string, std::size_t> seen;
  std::vector<std::size_t> first;
  for (const CrawlWish& wish : wishes)
    first.push_back(seen.emplace(NormalizedUrl(wish.url), first.size()).first->second);
  return first;
}

// A page that says the same as one before it.
void MarkSameContent(std::vector<json::object>& pages) {
  std::map<std::string, std::string> seen;
  for (json::object& page : pages) {
    const std::string hash = TextAt(page, "content_hash");
    if (hash.empty()) continue;
    const auto [known, is_new] = seen.emplace(hash, TextAt(page, "url"));
    if (is_new) continue;
    page["duplicate_of"] = known->second;
    DropContent(page);
  }
}

// What is told of a page that was asked for twice.
json::object ToldAgain(const CrawlWish& wish, const json::object& first) {
  json::object page = first;
  DropContent(page);
  page["url"] = wish.url;
  if (IsTrueAt(first, "success")) page["duplicate_of"] = first.at("url");
  return page;
}

}  // namespace

Task<Result<json::object>> Crawler::Download(CallContext ctx, std::string url,
                                             std::chrono::milliseconds timeout) const {
  CO_TRY_ASSIGN(const auto round, Begin(CrawlForm::kRaw, 1));
  auto file = co_await Bring(ctx, round, std::move(url), timeout);
  co_await round->pool.Close(std::move(ctx));
  co_return file;
}

Task<Result<json::object>> Crawler::Bring(CallContext ctx, std::shared_ptr<Round> round,
                                          std::string url, std::chrono::milliseconds timeout) {
  const std::string host = HostAndPortOf(url);
  CO_TRY_ASSIGN(const auto permit, co_await round->desk->line().Enter(ctx, host, round->group));
  CO_TRY(co_await AskRobots(ctx, round->desk, &round->pool, url));
  auto session = round->pool.Take(host, {});
  // A page would never come down: whether it is one is seen first.
  PageVisit visit(*round->host, *session, {.url = url, .timeout = timeout}, CrawlForm::kRaw);
  const auto opened = co_await visit.Open(ctx);
  Result<model::ActionExecutionResult> brought =
      Fail(ErrorCode::kDownloadFailed, "the address leads to a page, not to a file");
  if (!opened && visit.is_file()) {
    brought = co_await BringFile(ctx, session.get(), url, timeout);
  } else if (!opened) {
    brought = std::unexpected(opened.error());
  }
  const std::string workflow = session->workflow().value();
  co_await session->Close(std::move(ctx));
  CO_TRY(brought);
  if (brought->artifacts.empty()) co_return Fail(ErrorCode::kDownloadFailed, "no file was kept");
  const model::ResultArtifact& file = brought->artifacts.front();
  co_return json::object{{"url", url},
                         {"workflow", workflow},
                         {"artifact_id", file.artifact_id},
                         {"name", round->host->CleanLine(file.name)},
                         {"mime", file.mime},
                         {"bytes", file.bytes},
                         {"sha256", file.sha256}};
}

Task<Result<json::object>> Crawler::WalkSitemap(CallContext ctx, std::shared_ptr<Round> round,
                                                std::string url, std::size_t most) {
  SitemapWalk walk(*round->desk, round->pool, round->group, most);
  auto found = co_await walk.Go(ctx, std::move(url));
  if (!found) co_await round->pool.Close(std::move(ctx));
  co_return found;
}

Task<Result<json::object>> Crawler::ReadSitemap(CallContext ctx, std::string url,
                                                std::size_t most) const {
  CO_TRY_ASSIGN(const auto round, Begin(CrawlForm::kRaw, 1));
  CO_TRY_ASSIGN(json::object found, co_await WalkSitemap(ctx, round, url, most));
  co_await round->pool.Close(std::move(ctx));
  found["url"] = url;
  co_return found;
}

Task<Result<void>> Crawler::TakeSite(CallContext ctx, std::shared_ptr<Round> round,
                                     CrawlBatch* batch) {
  if (batch->sitemap.empty()) co_return Result<void>();
  CO_TRY_ASSIGN(const json::object found, co_await WalkSitemap(std::move(ctx), std::move(round),
                                                               batch->sitemap, batch->limit));
  for (const json::value& url : found.at("urls").as_array()) {
    batch->wishes.push_back(batch->options);
    batch->wishes.back().url = std::string(url.as_string());
  }
  co_return Result<void>();
}

Task<Result<json::object>> Crawler::ReadAll(CallContext ctx, CrawlBatch batch,
                                            BatchCare care) const {
  CO_TRY(CheckWayOut(batch.options));
  CO_TRY_ASSIGN(auto round, Begin(batch.form, batch.at_once));
  CO_TRY(co_await TakeSite(ctx, round, &batch));
  const std::vector<std::size_t> first = FirstOfSame(batch.wishes);
  TaskScope scope(ctx.executor());
  const auto run = std::make_shared<BatchRun>(BatchRun{.ctx = ctx,
                                                       .round = std::move(round),
                                                       .batch = std::move(batch),
                                                       .care = std::move(care),
                                                       .pages = {}});
  run->pages.resize(first.size());
  for (std::size_t at = 0; at < first.size(); ++at)
    if (first[at] == at) scope.Spawn("crawl.page", ReadPage(run, at));
  co_await scope.Join();
  co_await run->round->pool.Close(std::move(ctx));
  CO_TRY(run->kept);
  MarkSameContent(run->pages);
  for (std::size_t at = 0; at < first.size(); ++at)
    if (first[at] != at) run->pages[at] = ToldAgain(run->batch.wishes[at], run->pages[first[at]]);
  json::array pages;
  std::size_t failed = 0;
  for (json::object& page : run->pages) {
    if (!IsTrueAt(page, "success")) ++failed;
    pages.push_back(std::move(page));
  }
  co_return json::object{{"pages", std::move(pages)}, {"total", first.size()}, {"failed", failed}};
}

}  // namespace falconer::agent
