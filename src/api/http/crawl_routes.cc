// Pages for programs that only want to read: one, or many at once, now or as a job.

#include <utility>

#include "agent/crawl/crawl_options.h"
#include "agent/crawl/crawler.h"
#include "api/http/accepted_job.h"
#include "api/http/job_pages.h"
#include "api/http/job_types.h"
#include "api/http/predicted_run.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/guarded_crawls.h"

namespace falconer::api {
namespace {

using agent::CrawlBatch;
using agent::Crawler;
using agent::CrawlForm;
using agent::CrawlWish;
using agent::ReadBatch;
using agent::ReadCrawl;

constexpr RoleSet kCrawling = {Role::kAgent, Role::kOperator};

// The context must outlive what the crawler begins.
Crawler CrawlerIn(RestContext& context) {
  return Crawler(
      std::make_shared<GuardedCrawls>([&context] { return context.Rooms(); }, context.guard));
}

template <CrawlForm form>
Task<Result<net::HttpResponse>> PostCrawl(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(CrawlWish wish, ReadJson(body, "body", ReadCrawl));
  const Crawler crawler = CrawlerIn(*context);
  CO_TRY_ASSIGN(const json::object page,
                co_await crawler.Read(std::move(ctx), std::move(wish), form));
  co_return JsonResponse(200, page);
}

Task<Result<net::HttpResponse>> PostBatch(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(CrawlBatch batch, ReadJson(body, "body", ReadBatch));
  const Crawler crawler = CrawlerIn(*context);
  CO_TRY_ASSIGN(const json::object pages,
                co_await crawler.ReadAll(std::move(ctx), std::move(batch), {.tell = ProblemJson}));
  co_return JsonResponse(200, pages);
}

Task<Result<net::HttpResponse>> PostSitemap(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(const auto wish, ReadJson(body, "body", agent::ReadSitemapWish));
  CO_TRY_ASSIGN(json::object found,
                co_await CrawlerIn(*context).ReadSitemap(std::move(ctx), wish.url, wish.limit));
  context->guard.Clean(found);
  co_return JsonResponse(200, found);
}

template <CrawlForm form>
Task<Result<json::object>> RunPageJob(RestContext* context, CallContext ctx,
                                      agent::JobInput input) {
  CO_TRY_ASSIGN(CrawlWish wish, ReadJson(input.input, "input", ReadCrawl));
  const Crawler crawler = CrawlerIn(*context);
  co_return co_await crawler.Read(std::move(ctx), std::move(wish), form);
}

Task<Result<json::object>> RunPagesJob(RestContext* context, CallContext ctx, agent::JobInput input,
                                       agent::JobNews news) {
  CO_TRY_ASSIGN(CrawlBatch batch, ReadJson(input.input, "input", ReadBatch));
  const Crawler crawler = CrawlerIn(*context);
  co_return co_await crawler.ReadAll(
      std::move(ctx), std::move(batch),
      {.tell = ProblemJson,
       .news = [news = std::move(news)](const json::object& page) { news(page); },
       .kept = std::make_shared<JobPages>(std::move(input.parts))});
}

Result<void> CheckPageInput(const json::object& input) {
  TRY(ReadJson(input, "input", ReadCrawl));
  return {};
}

Result<void> CheckPagesInput(const json::object& input) {
  TRY(ReadJson(input, "input", ReadBatch));
  return {};
}

template <CrawlForm form>
agent::JobType PageJobType(RestContext& context, std::string name) {
  return {.name = std::move(name),
          .check = CheckPageInput,
          .run =
              [context = &context](CallContext ctx, agent::JobInput input, const agent::JobNews&) {
                return RunPageJob<form>(context, std::move(ctx), std::move(input));
              },
          .only_reads = true};
}

enum class CreatedJob : std::uint8_t { kPage, kBatch, kMarkdown, kAgentRun, kWorkflowRun };

constexpr EnumName<CreatedJob> kJobTypes[] = {
    {CreatedJob::kPage, "crawl_url"},
    {CreatedJob::kBatch, "batch_crawl"},
    {CreatedJob::kMarkdown, "markdown_only"},
    {CreatedJob::kAgentRun, "agent_run"},
    {CreatedJob::kWorkflowRun, kWorkflowRunJob},
};

template <CreatedJob type>
Task<Result<net::HttpResponse>> PostJob(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(auto wish, JobWishFrom(*context, call, std::string(NameIn(kJobTypes, type))));
  co_return co_await SubmittedJob(context, std::move(wish));
}

// What is the job's is beside its input.
Task<Result<net::HttpResponse>> PostAnyJob(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CreatedJob type{};
  CO_TRY_ASSIGN(json::object input, ReadJson(body, "body", [&type](JsonReader& in) {
                  type = in.Enum("job_type", kJobTypes);
                  json::object own = in.RawObject("input");
                  for (const std::string_view key : {"callback_url", "callback_secret"})
                    if (auto value = in.OptionalRawValue(key)) own[key] = *std::move(value);
                  return own;
                }));
  if (type == CreatedJob::kWorkflowRun)
    co_return co_await BegunPredictedRun(context, std::move(call), std::move(input));
  CO_TRY_ASSIGN(auto wish,
                JobWishOf(*context, call, std::string(NameIn(kJobTypes, type)), std::move(input)));
  co_return co_await SubmittedJob(context, std::move(wish));
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

std::vector<agent::JobType> CrawlJobTypes(RestContext& context) {
  return {PageJobType<CrawlForm::kPage>(context, "crawl_url"),
          PageJobType<CrawlForm::kMarkdown>(context, "markdown_only"),
          {.name = "batch_crawl",
           .check = CheckPagesInput,
           .run =
               [context = &context](CallContext ctx, agent::JobInput input, agent::JobNews news) {
                 return RunPagesJob(context, std::move(ctx), std::move(input), std::move(news));
               },
           .only_reads = true}};
}

std::vector<Route> CrawlRoutes(RestContext& context) {
  return {CrawlRoute("/api/crawl", "Read a page: its text, its content as markdown, its links.",
                     Handle<PostCrawl<CrawlForm::kPage>>(context), "Crawl"),
          CrawlRoute("/markdown", "Read the content of a page as markdown.",
                     Handle<PostCrawl<CrawlForm::kMarkdown>>(context), "Crawl"),
          CrawlRoute("/raw", "The markup of a page.", Handle<PostCrawl<CrawlForm::kRaw>>(context),
                     "Crawl"),
          CrawlRoute("/batch", "Read up to 50 pages, up to 10 at once.", Handle<PostBatch>(context),
                     "CrawlBatch"),
          CrawlRoute("/api/sitemap", "The pages that a site names in its sitemaps.",
                     Handle<PostSitemap>(context), "Sitemap"),
          CrawlRoute("/api/jobs/create", "Begin a job of a type.", Handle<PostAnyJob>(context),
                     "CreatedJob"),
          CrawlRoute("/api/jobs/crawl", "Read a page as a job.",
                     Handle<PostJob<CreatedJob::kPage>>(context), "CrawlJob"),
          CrawlRoute("/api/jobs/markdown", "Read the content of a page as markdown, as a job.",
                     Handle<PostJob<CreatedJob::kMarkdown>>(context), "CrawlJob"),
          CrawlRoute("/api/jobs/batch-crawl", "Read many pages as a job.",
                     Handle<PostJob<CreatedJob::kBatch>>(context), "CrawlBatchJob")};
}

}  // namespace falconer::api
