// Pages for programs that only want to read: one, or many at once, now or as a job.

#include <utility>

#include "api/http/accepted_job.h"
#include "api/http/crawler.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "model/url.h"

namespace falconer::api {
namespace {

constexpr RoleSet kCrawling = {Role::kAgent, Role::kOperator};
constexpr Bounds<std::int64_t> kCrawlSeconds = {5, 300};
constexpr Bounds<std::int64_t> kCrawlChars = {1, 1'000'000};
constexpr Bounds<std::size_t> kSelectors = {0, 1024};
constexpr Bounds<std::size_t> kBatchUrls = {1, 50};
// Of all pages together: what comes of a batch is in memory at once.
constexpr std::int64_t kBatchChars = 10'000'000;
constexpr Bounds<std::int64_t> kAtOnce = {1, 10};
constexpr std::int64_t kUsuallyAtOnce = 3;

// Everything but the address.
CrawlWish ReadOptions(JsonReader& in) {
  CrawlWish wish;
  wish.until = in.OptionalEnum("wait_until", model::kLoadStates).value_or(wish.until);
  wish.selector = in.OptionalString("wait_for_selector", kSelectors).value_or("");
  if (const auto seconds = in.OptionalInteger("timeout", kCrawlSeconds))
    wish.timeout = std::chrono::seconds(*seconds);
  wish.max_chars = in.OptionalInteger("max_chars", kCrawlChars).value_or(wish.max_chars);
  return wish;
}

CrawlWish ReadOptionsOf(JsonReader& in) {
  return in.OptionalObject("options", ReadOptions).value_or(CrawlWish());
}

void CheckAddress(JsonReader& in, std::string_view key, const std::string& url) {
  if (in.failed()) return;
  const auto checked = model::CheckWebUrl(url);
  if (!checked) in.Reject(key, checked.error().message());
  if (url == model::kBlankUrl) in.Reject(key, "there is nothing to read");
}

CrawlWish ReadCrawl(JsonReader& in) {
  std::string url = in.String("url", {1, model::kMaxUrlLength});
  CheckAddress(in, "url", url);
  CrawlWish wish = ReadOptionsOf(in);
  wish.url = std::move(url);
  return wish;
}

constexpr EnumName<CrawlForm> kBatchForms[] = {
    {CrawlForm::kPage, "page"},
    {CrawlForm::kMarkdown, "markdown"},
};

CrawlBatch ReadBatch(JsonReader& in) {
  const std::vector<std::string> urls = in.Strings("urls", kBatchUrls);
  for (const std::string& url : urls) CheckAddress(in, "urls", url);
  CrawlBatch batch{.wishes = {},
                   .at_once = static_cast<std::size_t>(
                       in.OptionalInteger("concurrent", kAtOnce).value_or(kUsuallyAtOnce)),
                   .form = in.OptionalEnum("format", kBatchForms).value_or(CrawlForm::kPage)};
  const CrawlWish options = ReadOptionsOf(in);
  if (options.max_chars * std::ssize(urls) > kBatchChars)
    in.Reject("options", "max_chars of all urls together are at most 10000000");
  for (const std::string& url : urls) {
    batch.wishes.push_back(options);
    batch.wishes.back().url = url;
  }
  return batch;
}

template <CrawlForm form>
Task<Result<net::HttpResponse>> PostCrawl(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(CrawlWish wish, ReadJson(body, "body", ReadCrawl));
  const Crawler crawler(*context);
  CO_TRY_ASSIGN(const json::object page,
                co_await crawler.Read(std::move(ctx), std::move(wish), form));
  co_return JsonResponse(200, page);
}

Task<Result<net::HttpResponse>> PostBatch(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(CrawlBatch batch, ReadJson(body, "body", ReadBatch));
  const Crawler crawler(*context);
  const json::object pages =
      co_await crawler.ReadAll(std::move(ctx), std::move(batch), [](const json::object&) {});
  co_return JsonResponse(200, pages);
}

// The work of each kind of job, from its input.
Result<JobBook::JobWork> PageJob(RestContext& context, const json::value& input, CrawlForm form) {
  TRY_ASSIGN(CrawlWish wish, ReadJson(input, "input", ReadCrawl));
  return [crawler = Crawler(context), wish, form](CallContext ctx, const JobBook::JobNews&) {
    return crawler.Read(std::move(ctx), wish, form);
  };
}

Result<JobBook::JobWork> CrawlJob(RestContext& context, const json::value& input) {
  return PageJob(context, input, CrawlForm::kPage);
}

Result<JobBook::JobWork> MarkdownJob(RestContext& context, const json::value& input) {
  return PageJob(context, input, CrawlForm::kMarkdown);
}

Task<Result<json::object>> RunBatch(Crawler crawler, CallContext ctx, CrawlBatch batch,
                                    JobBook::JobNews news) {
  co_return co_await crawler.ReadAll(std::move(ctx), std::move(batch), std::move(news));
}

Result<JobBook::JobWork> BatchJob(RestContext& context, const json::value& input) {
  TRY_ASSIGN(CrawlBatch batch, ReadJson(input, "input", ReadBatch));
  return [crawler = Crawler(context), batch](CallContext ctx, JobBook::JobNews news) {
    return RunBatch(crawler, std::move(ctx), batch, std::move(news));
  };
}

using MakeJob = Result<JobBook::JobWork> (*)(RestContext& context, const json::value& input);

constexpr EnumName<MakeJob> kJobTypes[] = {
    {CrawlJob, "crawl_url"},
    {BatchJob, "batch_crawl"},
    {MarkdownJob, "markdown_only"},
};

template <MakeJob make>
Task<Result<net::HttpResponse>> PostJob(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto input, call.Body());
  CO_TRY_ASSIGN(auto work, make(*context, input));
  co_return AcceptedJob(*context, std::string(NameIn(kJobTypes, make)), std::move(work));
}

struct JobWish {
  MakeJob make = nullptr;
  json::object input;
};

Task<Result<net::HttpResponse>> PostAnyJob(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(const JobWish wish, ReadJson(body, "body", [](JsonReader& in) {
                  return JobWish{.make = in.Enum("job_type", kJobTypes),
                                 .input = in.RawObject("input")};
                }));
  CO_TRY_ASSIGN(auto work, wish.make(*context, wish.input));
  co_return AcceptedJob(*context, std::string(NameIn(kJobTypes, wish.make)), std::move(work));
}

Route CrawlRoute(std::string_view pattern, std::string_view summary, RouteHandler handler,
                 std::string_view body) {
  return {.method = "POST",
          .pattern = pattern,
          .tag = "crawl",
          .summary = summary,
          .roles = kCrawling,
          .handler = std::move(handler),
          .body = body};
}

}  // namespace

std::vector<Route> CrawlRoutes(RestContext& context) {
  return {CrawlRoute("/api/crawl", "Read a page: its text, its content as markdown, its links.",
                     Handle<PostCrawl<CrawlForm::kPage>>(context), "Crawl"),
          CrawlRoute("/markdown", "Read the content of a page as markdown.",
                     Handle<PostCrawl<CrawlForm::kMarkdown>>(context), "Crawl"),
          CrawlRoute("/raw", "The markup of a page.", Handle<PostCrawl<CrawlForm::kRaw>>(context),
                     "Crawl"),
          CrawlRoute("/batch", "Read up to 50 pages, up to 10 at once.", Handle<PostBatch>(context),
                     "CrawlBatch"),
          CrawlRoute("/api/jobs/create", "Begin a job of a type.", Handle<PostAnyJob>(context),
                     "CrawlJob"),
          CrawlRoute("/api/jobs/crawl", "Read a page as a job.", Handle<PostJob<CrawlJob>>(context),
                     "Crawl"),
          CrawlRoute("/api/jobs/markdown", "Read the content of a page as markdown, as a job.",
                     Handle<PostJob<MarkdownJob>>(context), "Crawl"),
          CrawlRoute("/api/jobs/batch-crawl", "Read many pages as a job.",
                     Handle<PostJob<BatchJob>>(context), "CrawlBatch")};
}

}  // namespace falconer::api
