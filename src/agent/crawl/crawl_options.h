#pragma once
// What callers write about crawls, read and checked: the same words in every way in.

#include "agent/crawl/crawl_wish.h"

namespace falconer::agent {

inline constexpr Bounds<std::int64_t> kCrawlSeconds = {5, 300};
inline constexpr Bounds<std::int64_t> kCrawlChars = {1, 1'000'000};
inline constexpr Bounds<std::int64_t> kRestMs = {0, 60'000};
inline constexpr Bounds<std::size_t> kBatchUrls = {1, 50};
inline constexpr Bounds<std::int64_t> kBatchAtOnce = {1, 10};
// Pages of a site that is read by its sitemaps, and addresses that are only listed.
inline constexpr Bounds<std::int64_t> kSitePages = {1, 500};
inline constexpr std::int64_t kUsualSitePages = 50;
inline constexpr Bounds<std::int64_t> kSiteUrls = {1, 50'000};

// {"url", "options"?}.
CrawlWish ReadCrawl(JsonReader& in);
// {"urls" or "sitemap" with "limit"?, "concurrent"?, "format"?, "options"?}.
CrawlBatch ReadBatch(JsonReader& in);
// {"url", "limit"?}: a site whose sitemaps are to be listed.
struct SitemapWish {
  std::string url;
  std::size_t limit = 0;
};
SitemapWish ReadSitemapWish(JsonReader& in);
// The options alone, under `key`; those of nobody when it is absent.
CrawlWish ReadOptionsOf(JsonReader& in, std::string_view key);
// Rejects what is no address of a page.
void CheckAddress(JsonReader& in, std::string_view key, const std::string& url);
// Refuses what all pages together are too much for: what comes of a batch is in memory at once.
void CheckBatchChars(JsonReader& in, std::string_view key, const CrawlWish& options,
                     std::size_t pages);

// JSON Schemas of the same.
json::object CrawlOptionsSchema();
json::object CrawlUrlSchema();

}  // namespace falconer::agent
