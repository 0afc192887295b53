#include "agent/crawl/sitemap_walk.h"

#include <algorithm>
#include <utility>

#include "agent/crawl/normalized_url.h"
#include "agent/crawl/robots_visit.h"
#include "agent/crawl/sitemap.h"
#include "base/text.h"
#include "model/url.h"

namespace falconer::agent {
namespace {

constexpr std::size_t kMostWalkedSitemaps = 50;
constexpr std::string_view kUsualPlace = "/sitemap.xml";
constexpr std::string_view kSitemapEndings[] = {".xml", ".gz", ".txt"};
constexpr int kNotThere = 400;

bool IsSitemap(const std::string& url) {
  const std::string path = ToLower(model::SplitUrl(url).path);
  return std::ranges::any_of(kSitemapEndings,
                             [&](std::string_view ending) { return path.ends_with(ending); });
}

}  // namespace

SitemapWalk::SitemapWalk(CrawlDesk& desk, SessionPool& pool, std::shared_ptr<VisitGroup> group,
                         std::size_t most)
    : desk_(desk), pool_(pool), group_(std::move(group)), most_(most) {
}

Task<Result<json::object>> SitemapWalk::Go(CallContext ctx, std::string start) {
  host_ = HostAndPortOf(start);
  CO_TRY(co_await Begin(ctx, std::move(start)));
  while (!left_.empty() && !is_full() && sitemaps_.size() < kMostWalkedSitemaps) {
    std::string url = std::move(left_.front());
    left_.pop_front();
    const auto taken = co_await Take(ctx, url);
    if (taken) continue;
    CO_TRY(ctx.StillWanted("the sitemaps"));
    // A site that names one that is not there may name others that are.
    if (sitemaps_.empty() && left_.empty()) co_return std::unexpected(taken.error());
    sitemaps_.push_back(json::object{{"url", url}, {"problem", taken.error().message()}});
  }
  json::array urls;
  for (std::string& url : urls_) urls.emplace_back(std::move(url));
  co_return json::object{{"sitemaps", std::move(sitemaps_)},
                         {"urls", std::move(urls)},
                         {"truncated", is_truncated_ || !left_.empty()}};
}

Task<Result<void>> SitemapWalk::Begin(CallContext ctx, std::string start) {
  if (IsSitemap(start)) {
    Add(start);
    co_return Result<void>();
  }
  {
    CO_TRY_ASSIGN(const auto permit, co_await desk_.line().Enter(ctx, host_, group_));
    CO_TRY_ASSIGN(const RobotsRules rules, co_await RobotsOf(ctx, &desk_, &pool_, start));
    for (const std::string& url : rules.sitemaps()) Add(url);
  }
  if (left_.empty()) Add(OriginOf(start) + std::string(kUsualPlace));
  co_return Result<void>();
}

void SitemapWalk::Add(const std::string& url) {
  const bool is_own = model::CheckWebUrl(url).has_value() && HostAndPortOf(url) == host_;
  if (!is_own || seen_.contains(NormalizedUrl(url))) return;
  // More are never read: an index may name thousands, and each of those is kept until its turn.
  if (seen_.size() >= kMostWalkedSitemaps) {
    is_truncated_ = true;
    return;
  }
  seen_.insert(NormalizedUrl(url));
  left_.push_back(url);
}

Task<Result<std::string>> SitemapWalk::Fetch(CallContext ctx, std::string url) {
  CO_TRY_ASSIGN(const auto permit, co_await desk_.line().Enter(ctx, host_, group_));
  CO_TRY(co_await AskRobots(ctx, &desk_, &pool_, url));
  CO_TRY_ASSIGN(auto file,
                co_await ReadPlainFile(std::move(ctx), &pool_, url, FileMarkup::kMarkup));
  if (file.status >= kNotThere)
    co_return Fail(ErrorCode::kNotFound, url + " answers with " + std::to_string(file.status));
  is_truncated_ = is_truncated_ || file.is_truncated;
  if (IsPacked(file.text)) co_return Unpacked(file.text);
  co_return std::move(file.text);
}

Task<Result<void>> SitemapWalk::Take(CallContext ctx, std::string url) {
  CO_TRY_ASSIGN(const std::string text, co_await Fetch(std::move(ctx), url));
  const Sitemap map = ParseSitemap(text);
  is_truncated_ = is_truncated_ || map.is_truncated;
  sitemaps_.push_back(json::object{{"url", url}, {"urls", map.urls.size()}});
  for (const std::string& found : map.urls) {
    if (map.is_index) {
      Add(found);
    } else if (HostAndPortOf(found) == host_ && known_.insert(NormalizedUrl(found)).second) {
      if (is_full()) {
        is_truncated_ = true;
        break;
      }
      urls_.push_back(found);
    }
  }
  co_return Result<void>();
}

}  // namespace falconer::agent
