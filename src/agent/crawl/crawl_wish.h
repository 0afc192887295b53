#pragma once
// CrawlWish: one page that somebody wants read, and how. Plain data.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::agent {

// What is read of the page.
enum class CrawlForm : std::uint8_t {
  kPage,      // all text, the content as markdown, all links
  kText,      // all text and all links
  kMarkdown,  // the content as markdown
  kRaw,       // markup
};

inline constexpr EnumName<CrawlForm> kCrawlForms[] = {
    {CrawlForm::kPage, "page"},
    {CrawlForm::kText, "text"},
    {CrawlForm::kMarkdown, "markdown"},
    {CrawlForm::kRaw, "raw"},
};

// How far the page must have come.
enum class CrawlUntil : std::uint8_t { kDomContentLoaded, kLoad, kNetworkIdle, kSelector };

inline constexpr EnumName<CrawlUntil> kCrawlUntils[] = {
    {CrawlUntil::kDomContentLoaded, "domcontentloaded"},
    {CrawlUntil::kLoad, "load"},
    {CrawlUntil::kNetworkIdle, "networkidle"},
    {CrawlUntil::kSelector, "selector"},
};

// Of what a picture is taken: nothing, what is seen first, all of it.
enum class CrawlShot : std::uint8_t { kOff, kTop, kFull };

inline constexpr EnumName<CrawlShot> kCrawlShots[] = {
    {CrawlShot::kOff, "off"},
    {CrawlShot::kTop, "top"},
    {CrawlShot::kFull, "full"},
};

enum class CacheUse : std::uint8_t {
  kOff,      // read the page, keep nothing
  kUse,      // what is kept, if it is fresh
  kRefresh,  // read the page and keep it
};

inline constexpr EnumName<CacheUse> kCacheUses[] = {
    {CacheUse::kOff, "off"},
    {CacheUse::kUse, "use"},
    {CacheUse::kRefresh, "refresh"},
};

struct CrawlWish {
  std::string url = {};
  CrawlUntil until = CrawlUntil::kLoad;
  // What must be seen before the page is read; "" for nothing.
  std::string selector = {};
  // For each of the contracts.
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  // Most characters of text.
  std::int64_t max_chars = 100'000;
  bool javascript = true;
  // A page that gave little without scripts is read once more with them.
  bool retry_with_js_if_thin = false;
  // Of tables that say the same the first is kept.
  bool dedupe_tables = false;
  CrawlShot screenshot = CrawlShot::kOff;
  // A script of the caller's that runs in the page before it is read; "" for none.
  std::string javascript_payload = {};
  // How long the page may take to come to rest before it is read.
  std::chrono::milliseconds wait_after_load{0};
  // As the settings say when absent.
  std::optional<CacheUse> cache = std::nullopt;
  // A page that looks blocked may be read from its picture, if the settings say so too.
  bool allow_ghost = false;
  // Refused: the way out is the server's, which checks every address on it.
  std::string proxy = {};
};

struct CrawlBatch {
  std::vector<CrawlWish> wishes;
  // Instead of wishes: the pages that a site's sitemaps name, so many of them, each read as
  // `options` says.
  std::string sitemap = {};
  std::size_t limit = 0;
  CrawlWish options = {};
  std::size_t at_once = 3;
  CrawlForm form = CrawlForm::kPage;
};

}  // namespace falconer::agent
