#include "api/tools/crawl_tools.h"

#include <fmt/format.h>
#include <utility>

#include "agent/crawl/crawl_options.h"
#include "agent/crawl/crawler.h"
#include "api/tools/guarded_crawls.h"
#include "api/tools/input_schema.h"
#include "api/tools/navigation_tools.h"

namespace falconer::api {
namespace {

using agent::CrawlForm;
using enum Need;

// What a page may take, and what came of it is to be told; a batch has many pages.
constexpr auto kPageTime = std::chrono::seconds(310);
constexpr auto kBatchTime = std::chrono::minutes(15);
constexpr ToolTerms kReadingPage = Acting(model::Capability::kNavigate, kPageTime);

// What of a page a model is shown, by what was read of it.
struct ShownForm {
  CrawlForm form;
  std::string_view key;
};
constexpr ShownForm kShownForms[] = {{CrawlForm::kPage, "markdown"},
                                     {CrawlForm::kText, "text"},
                                     {CrawlForm::kMarkdown, "markdown"},
                                     {CrawlForm::kRaw, "html"}};

agent::Crawler CrawlerOf(ToolContext* context) {
  return agent::Crawler(
      std::make_shared<GuardedCrawls>([context] { return context->Rooms(); }, context->guard()));
}

std::int64_t StatusOf(const json::object& page) {
  const json::value* status = page.if_contains("status");
  return status != nullptr && status->is_int64() ? status->get_int64() : 0;
}

std::string HeadOf(const json::object& page) {
  return fmt::format("ok {} {} {}\n", StatusOf(page), TextAt(page, "quality"),
                     TextAt(page, "content_hash").substr(0, 12));
}

// Models write addresses as people do.
void CompleteUrls(json::value& value) {
  if (value.is_string()) {
    value = CompleteUrl(std::string(value.get_string()));
  } else if (value.is_array()) {
    for (json::value& one : value.get_array())
      if (one.is_string()) CompleteUrls(one);
  }
}

void CompleteUrls(json::object& arguments) {
  for (const std::string_view key : {"url", "urls", "sitemap"})
    if (json::value* value = arguments.if_contains(key)) CompleteUrls(*value);
}

template <CrawlForm form>
Task<Result<ToolAnswer>> CrawlUrl(CallContext ctx, ToolContext* context, ToolCall call) {
  CompleteUrls(call.arguments);
  CO_TRY_ASSIGN(auto wish, ReadArguments(call, agent::ReadCrawl));
  const agent::Crawler crawler = CrawlerOf(context);
  CO_TRY_ASSIGN(json::object page, co_await crawler.Read(std::move(ctx), std::move(wish), form));
  ToolAnswer answer{.text = HeadOf(page)};
  answer.page_at = answer.text.size();
  const std::string_view key = kShownForms[std::to_underlying(form)].key;
  answer.text += TextAt(page, "final_url") + "\n" + TextAt(page, key);
  answer.text = CutToBudget(std::move(answer.text), kAnswerTokens - kMarkTokens);
  answer.render_mode = TextAt(page, "render_mode");
  answer.structured = std::move(page);
  co_return answer;
}

// A failure in few words: what a model needs of it.
json::object ProblemOf(const Error& error) {
  return {{"code", TraitsOf(error.code()).name},
          {"detail", error.message()},
          {"retryable", error.is_retryable()}};
}

// Each page in one line, then what fits of their content.
std::string BatchText(const json::object& pages, CrawlForm form) {
  std::string text;
  for (const json::value& one : pages.at("pages").as_array()) {
    const json::object& page = one.as_object();
    const json::value* problem = page.if_contains("problem");
    text += fmt::format(
        "{} {} {}\n",
        problem != nullptr ? TextAt(problem->as_object(), "code") : std::to_string(StatusOf(page)),
        TextAt(page, "url"), TextAt(page, "title"));
  }
  for (const json::value& one : pages.at("pages").as_array()) {
    const std::string content = TextAt(one.as_object(), kShownForms[std::to_underlying(form)].key);
    if (content.empty()) continue;
    text += "\n--- " + TextAt(one.as_object(), "url") + "\n" + content + "\n";
  }
  return text;
}

Task<Result<ToolAnswer>> CrawlMany(CallContext ctx, ToolContext* context, ToolCall call) {
  CompleteUrls(call.arguments);
  CO_TRY_ASSIGN(auto batch, ReadArguments(call, agent::ReadBatch));
  const CrawlForm form = batch.form;
  const agent::Crawler crawler = CrawlerOf(context);
  const auto report = [say = call.report](const json::object& page) { say(TextAt(page, "url")); };
  CO_TRY_ASSIGN(json::object pages, co_await crawler.ReadAll(std::move(ctx), std::move(batch),
                                                             {.tell = ProblemOf, .news = report}));
  ToolAnswer answer{.text =
                        fmt::format("ok {} pages, {} failed\n", json::serialize(pages.at("total")),
                                    json::serialize(pages.at("failed")))};
  answer.page_at = answer.text.size();
  answer.text = CutToBudget(answer.text + BatchText(pages, form), kAnswerTokens - kMarkTokens);
  answer.structured = std::move(pages);
  co_return answer;
}

struct FileWish {
  std::string url;
  std::chrono::seconds timeout{60};
};

FileWish ReadFileWish(JsonReader& in) {
  FileWish wish{.url = in.String("url")};
  agent::CheckAddress(in, "url", wish.url);
  if (const auto seconds = in.OptionalInteger("timeout", agent::kCrawlSeconds))
    wish.timeout = std::chrono::seconds(*seconds);
  return wish;
}

Task<Result<ToolAnswer>> DownloadFile(CallContext ctx, ToolContext* context, ToolCall call) {
  CompleteUrls(call.arguments);
  CO_TRY_ASSIGN(const FileWish wish, ReadArguments(call, ReadFileWish));
  const agent::Crawler crawler = CrawlerOf(context);
  CO_TRY_ASSIGN(json::object file,
                co_await crawler.Download(std::move(ctx), wish.url, wish.timeout));
  ToolAnswer answer{.text = fmt::format("ok {} {} bytes\n", TextAt(file, "artifact_id"),
                                        json::serialize(file.at("bytes")))};
  answer.page_at = answer.text.size();
  answer.text += TextAt(file, "name");
  answer.structured = std::move(file);
  co_return answer;
}

struct NoArguments {};

NoArguments ReadNoArguments(JsonReader&) {
  return {};
}

json::object CrawlInfoOf(agent::CrawlDesk& desk) {
  const auto& settings = desk.settings();
  return {{"user_agent_name", settings.user_agent_name},
          {"respect_robots", settings.respect_robots},
          {"delay_ms", settings.delay.count()},
          {"per_host", settings.per_host},
          {"at_once", settings.at_once},
          {"max_waiting", settings.max_waiting},
          {"cache_ttl_ms", settings.cache_ttl.count()},
          {"cache_bytes", settings.cache_bytes},
          {"running", desk.line().running()},
          {"waiting", desk.line().waiting()}};
}

Task<Result<ToolAnswer>> CrawlerInfo(CallContext, ToolContext* context, ToolCall call) {
  CO_TRY(ReadArguments(call, ReadNoArguments));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  if (rooms.crawls == nullptr) co_return Fail(ErrorCode::kUnsupported, "nothing is crawled here");
  json::object info = CrawlInfoOf(*rooms.crawls);
  co_return ToolAnswer{.text = json::serialize(info), .structured = std::move(info)};
}

json::object CrawlArguments() {
  return PlainSchema({{"url", TextSchema(), kRequired}, {"options", agent::CrawlOptionsSchema()}});
}

json::object BatchArguments() {
  constexpr std::string_view kForms[] = {"page", "text", "markdown", "raw"};
  return PlainSchema({{"urls", TextsSchema()},
                      {"sitemap", TextSchema("a site, instead of urls")},
                      {"limit", WholeSchema()},
                      {"concurrent", WholeSchema()},
                      {"format", ChoiceSchema(kForms)},
                      {"options", agent::CrawlOptionsSchema()}});
}

}  // namespace

std::vector<ToolRow> CrawlTools() {
  using enum agent::SideEffect;
  return {
      {{"crawl_url", "Read a page", "Read a page: its content as markdown, its text and links.",
        kCrawlGroup, kRead, CrawlArguments()},
       CrawlUrl<CrawlForm::kPage>,
       kReadingPage},
      {{"crawl_batch", "Read pages", "Read up to 50 pages at once, or a site by its sitemap.",
        kCrawlGroup, kRead, BatchArguments()},
       CrawlMany,
       Acting(model::Capability::kNavigate, kBatchTime)},
      {{"markdown", "Page as markdown", "Read the content of a page as markdown.", kCrawlGroup,
        kRead, CrawlArguments()},
       CrawlUrl<CrawlForm::kMarkdown>,
       kReadingPage},
      {{"raw", "Markup of a page", "Read the markup of a page.", kCrawlGroup, kRead,
        CrawlArguments()},
       CrawlUrl<CrawlForm::kRaw>,
       kReadingPage},
      {{"download", "Download a file", "Bring a file down and keep it.", kCrawlGroup, kWrite,
        PlainSchema({{"url", TextSchema(), kRequired}, {"timeout", WholeSchema()}})},
       DownloadFile,
       Acting(model::Capability::kDownload, kPageTime)},
      {{"crawler_info", "How crawls go", "What crawls may do here, and how many are under way.",
        kCrawlGroup, kRead, PlainSchema({})},
       CrawlerInfo,
       Looking(std::nullopt)},
  };
}

}  // namespace falconer::api
