#include "agent/crawl/crawl_options.h"

#include <utility>

#include "model/action/action.h"
#include "model/url.h"

namespace falconer::agent {
namespace {

constexpr Bounds<std::size_t> kSelectorSizes = {0, 1024};
constexpr Bounds<std::size_t> kPayloadSizes = {0, 4 * model::kMaxScriptLength};
constexpr Bounds<std::size_t> kProxySizes = {0, 1024};
constexpr std::int64_t kBatchChars = 10'000'000;
constexpr std::int64_t kUsuallyAtOnce = 3;

// A picture is taken when one is asked for, in the one way or the other.
CrawlShot ReadCrawlShot(JsonReader& in) {
  const bool wants = in.OptionalBool("screenshot").value_or(false);
  const auto mode = in.OptionalEnum("screenshot_mode", kCrawlShots);
  return mode.value_or(wants ? CrawlShot::kTop : CrawlShot::kOff);
}

CrawlWish ReadCrawlOptions(JsonReader& in) {
  CrawlWish wish;
  wish.javascript = in.OptionalBool("javascript").value_or(wish.javascript);
  wish.retry_with_js_if_thin = in.OptionalBool("retry_with_js_if_thin").value_or(false);
  wish.allow_ghost = in.OptionalBool("allow_ghost").value_or(false);
  wish.dedupe_tables = in.OptionalBool("dedupe_tables").value_or(false);
  wish.screenshot = ReadCrawlShot(in);
  wish.javascript_payload = in.OptionalString("javascript_payload", kPayloadSizes).value_or("");
  wish.until = in.OptionalEnum("wait_until", kCrawlUntils).value_or(wish.until);
  wish.selector = in.OptionalString("wait_for_selector", kSelectorSizes).value_or("");
  wish.wait_after_load =
      std::chrono::milliseconds(in.OptionalInteger("wait_after_load_ms", kRestMs).value_or(0));
  if (const auto seconds = in.OptionalInteger("timeout", kCrawlSeconds))
    wish.timeout = std::chrono::seconds(*seconds);
  wish.max_chars = in.OptionalInteger("max_chars", kCrawlChars).value_or(wish.max_chars);
  wish.cache = in.OptionalEnum("cache", kCacheUses);
  wish.proxy = in.OptionalString("proxy", kProxySizes).value_or("");
  if (wish.until == CrawlUntil::kSelector && wish.selector.empty())
    in.Reject("wait_until", "selector goes together with wait_for_selector");
  if (!wish.javascript && !wish.javascript_payload.empty())
    in.Reject("javascript_payload", "does not go with javascript: false");
  return wish;
}

json::object CrawlWholeSchema(Bounds<std::int64_t> bounds) {
  return {{"type", "integer"}, {"minimum", bounds.min}, {"maximum", bounds.max}};
}

json::object CrawlWordsSchema(std::size_t most) {
  return {{"type", "string"}, {"maxLength", most}};
}

template <typename E, std::size_t N>
json::object CrawlNamesSchema(const EnumName<E> (&table)[N]) {
  json::array names;
  for (const EnumName<E>& row : table) names.emplace_back(row.name);
  return {{"type", "string"}, {"enum", std::move(names)}};
}

}  // namespace

CrawlWish ReadOptionsOf(JsonReader& in, std::string_view key) {
  return in.OptionalObject(key, ReadCrawlOptions).value_or(CrawlWish());
}

void CheckAddress(JsonReader& in, std::string_view key, const std::string& url) {
  if (in.failed()) return;
  const auto checked = model::CheckWebUrl(url);
  if (!checked) in.Reject(key, checked.error().message());
  if (url == model::kBlankUrl) in.Reject(key, "there is nothing to read");
}

void CheckBatchChars(JsonReader& in, std::string_view key, const CrawlWish& options,
                     std::size_t pages) {
  if (options.max_chars * static_cast<std::int64_t>(pages) > kBatchChars)
    in.Reject(key, "max_chars of all urls together are at most 10000000");
}

CrawlWish ReadCrawl(JsonReader& in) {
  std::string url = in.String("url", {1, model::kMaxUrlLength});
  CheckAddress(in, "url", url);
  CrawlWish wish = ReadOptionsOf(in, "options");
  wish.url = std::move(url);
  return wish;
}

namespace {

void ReadBatchUrls(JsonReader& in, CrawlBatch& batch) {
  const std::vector<std::string> urls = in.Strings("urls", kBatchUrls);
  for (const std::string& url : urls) {
    CheckAddress(in, "urls", url);
    batch.wishes.push_back(batch.options);
    batch.wishes.back().url = url;
  }
  batch.limit = urls.size();
}

}  // namespace

CrawlBatch ReadBatch(JsonReader& in) {
  CrawlBatch batch{.wishes = {},
                   .options = ReadOptionsOf(in, "options"),
                   .at_once = static_cast<std::size_t>(
                       in.OptionalInteger("concurrent", kBatchAtOnce).value_or(kUsuallyAtOnce)),
                   .form = in.OptionalEnum("format", kCrawlForms).value_or(CrawlForm::kPage)};
  const auto sitemap = in.OptionalString("sitemap", {1, model::kMaxUrlLength});
  const auto limit = in.OptionalInteger("limit", kSitePages);
  if (!sitemap) {
    if (limit) in.Reject("limit", "goes together with sitemap");
    ReadBatchUrls(in, batch);
  } else {
    CheckAddress(in, "sitemap", *sitemap);
    if (in.OptionalStrings("urls")) in.Reject("sitemap", "is given together with urls");
    batch.sitemap = *sitemap;
    batch.limit = static_cast<std::size_t>(limit.value_or(kUsualSitePages));
  }
  CheckBatchChars(in, "options", batch.options, batch.limit);
  return batch;
}

SitemapWish ReadSitemapWish(JsonReader& in) {
  SitemapWish wish{.url = in.String("url", {1, model::kMaxUrlLength}),
                   .limit = static_cast<std::size_t>(
                       in.OptionalInteger("limit", kSiteUrls).value_or(kSiteUrls.max))};
  CheckAddress(in, "url", wish.url);
  return wish;
}

json::object CrawlUrlSchema() {
  json::object schema = CrawlWordsSchema(model::kMaxUrlLength);
  schema["minLength"] = 1;
  return schema;
}

json::object CrawlOptionsSchema() {
  const json::object flag{{"type", "boolean"}};
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties",
           {{"javascript", flag},
            {"retry_with_js_if_thin", flag},
            {"allow_ghost", flag},
            {"dedupe_tables", flag},
            {"screenshot", flag},
            {"screenshot_mode", CrawlNamesSchema(kCrawlShots)},
            {"javascript_payload", CrawlWordsSchema(kPayloadSizes.max)},
            {"wait_until", CrawlNamesSchema(kCrawlUntils)},
            {"wait_for_selector", CrawlWordsSchema(kSelectorSizes.max)},
            {"wait_after_load_ms", CrawlWholeSchema(kRestMs)},
            {"timeout", CrawlWholeSchema(kCrawlSeconds)},
            {"max_chars", CrawlWholeSchema(kCrawlChars)},
            {"cache", CrawlNamesSchema(kCacheUses)},
            {"proxy", CrawlWordsSchema(kProxySizes.max)}}}};
}

}  // namespace falconer::agent
