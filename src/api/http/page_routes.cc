// Pages that were crawled and kept, and files by their address.

#include <utility>

#include "agent/crawl/crawl_options.h"
#include "agent/crawl/crawler.h"
#include "agent/crawl/normalized_url.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/aside.h"
#include "api/tools/guarded_crawls.h"
#include "base/sha256.h"

namespace falconer::api {
namespace {

constexpr RoleSet kPageReaders = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr RoleSet kPageWriters = {Role::kAgent, Role::kOperator};
constexpr RoleSet kPagePruners = {Role::kOperator};
constexpr Bounds<std::int64_t> kDocuments = {1, 1000};
constexpr Bounds<std::int64_t> kDocumentOffsets = {0, 1'000'000};
constexpr Bounds<std::size_t> kDocumentChars = {0, 1'000'000};
constexpr Bounds<std::size_t> kSearchWords = {0, 1000};
constexpr Bounds<std::int64_t> kDocumentAges = {0, std::numeric_limits<std::int64_t>::max()};

// The pages of the tenant that the server is for.
struct KeptPages {
  agent::PageCache* cache = nullptr;
  TenantId tenant;
};

Result<KeptPages> PagesOf(RestContext& context) {
  TRY_ASSIGN(const ToolRooms rooms, context.Rooms());
  if (rooms.crawls == nullptr) return Fail(ErrorCode::kUnsupported, "nothing is crawled here");
  return KeptPages{.cache = &rooms.crawls->cache(), .tenant = rooms.caller.tenant};
}

agent::CacheQuestion ReadCacheQuestion(JsonReader& in) {
  return {.words = in.OptionalString("query", kSearchWords).value_or(""),
          .offset =
              static_cast<std::size_t>(in.OptionalInteger("offset", kDocumentOffsets).value_or(0)),
          .limit = static_cast<std::size_t>(in.OptionalInteger("limit", kDocuments).value_or(50))};
}

Task<Result<net::HttpResponse>> ListPages(RestContext* context, CallContext ctx, json::value asked,
                                          std::string_view place) {
  CO_TRY_ASSIGN(const auto question, ReadJson(asked, std::string(place), ReadCacheQuestion));
  CO_TRY_ASSIGN(const KeptPages pages, PagesOf(*context));
  CO_TRY_ASSIGN(auto found, co_await Aside(std::move(ctx), [pages, question] {
                  return pages.cache->List(pages.tenant, question);
                }));
  co_return JsonResponse(200, found);
}

Task<Result<net::HttpResponse>> GetCacheList(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  return ListPages(context, std::move(ctx), std::move(call.query), "query");
}

Task<Result<net::HttpResponse>> PostCacheSearch(RestContext* context, CallContext ctx,
                                                RouteCall call) {
  CO_TRY_ASSIGN(auto body, call.Body());
  co_return co_await ListPages(context, std::move(ctx), std::move(body), "body");
}

Task<Result<net::HttpResponse>> GetCachedPage(RestContext* context, CallContext ctx,
                                              RouteCall call) {
  CO_TRY_ASSIGN(const KeptPages pages, PagesOf(*context));
  CO_TRY_ASSIGN(auto found, co_await Aside(std::move(ctx), [pages, id = call.At("document")] {
                  return pages.cache->Find(pages.tenant, id);
                }));
  co_return JsonResponse(200, found);
}

// A page that somebody else has read.
json::object ReadGivenPage(JsonReader& in) {
  const std::string url = in.String("url", {1, 8192});
  agent::CheckAddress(in, "url", url);
  const std::string markdown = in.String("markdown", kDocumentChars);
  return {{"url", url},
          {"title", in.OptionalString("title", {0, 1000}).value_or("")},
          {"markdown", markdown},
          {"given", true}};
}

// As if it had been read here: crawls answer with it, and believe that it was cleaned.
Task<Result<void>> CleanGivenPage(RestContext* context, CallContext ctx, json::object* page) {
  GuardedCrawls crawls([context] { return context->Rooms(); }, context->guard);
  CO_TRY_ASSIGN(const std::string markdown,
                co_await crawls.CleanText(std::move(ctx), TextAt(*page, "markdown")));
  (*page)["title"] = crawls.CleanLine(TextAt(*page, "title"));
  (*page)["content_hash"] = Sha256Hex(markdown);
  (*page)["markdown"] = markdown;
  co_return Result<void>();
}

Task<Result<net::HttpResponse>> PostCachedPage(RestContext* context, CallContext ctx,
                                               RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(auto page, ReadJson(body, "body", ReadGivenPage));
  CO_TRY_ASSIGN(const KeptPages pages, PagesOf(*context));
  CO_TRY(co_await CleanGivenPage(context, ctx, &page));
  const std::string id =
      agent::PageCache::KeyOf({.url = TextAt(page, "url")}, agent::CrawlForm::kMarkdown);
  CO_TRY_ASSIGN(auto kept, co_await Aside(ctx, [pages, id, page, now = ctx.clock().WallNow()] {
                  return pages.cache->Keep(pages.tenant, id, page, now);
                }));
  kept.erase("page");
  co_return JsonResponse(200, kept);
}

std::chrono::milliseconds ReadPruneAge(JsonReader& in) {
  return std::chrono::milliseconds(in.OptionalInteger("older_than_ms", kDocumentAges).value_or(0));
}

Task<Result<net::HttpResponse>> PostCachePrune(RestContext* context, CallContext ctx,
                                               RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(const auto age, ReadJson(body, "body", ReadPruneAge));
  CO_TRY_ASSIGN(const KeptPages pages, PagesOf(*context));
  CO_TRY_ASSIGN(const std::size_t removed,
                co_await Aside(ctx, [pages, age, now = ctx.clock().WallNow()] {
                  return pages.cache->Prune(pages.tenant, age, now);
                }));
  co_return JsonResponse(200, json::object{{"removed", removed}});
}

std::string ReadPageUrl(JsonReader& in) {
  std::string url = in.String("url", {1, 8192});
  agent::CheckAddress(in, "url", url);
  return url;
}

Task<Result<net::HttpResponse>> GetView(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const std::string url, ReadJson(call.query, "query", ReadPageUrl));
  CO_TRY_ASSIGN(const KeptPages pages, PagesOf(*context));
  CO_TRY_ASSIGN(auto found,
                co_await Aside(std::move(ctx), [pages, normal = agent::NormalizedUrl(url)] {
                  return pages.cache->Last(pages.tenant, normal);
                }));
  co_return JsonResponse(200, found);
}

// The file is kept with the artifacts of the visit; whoever asks is sent there.
Task<Result<net::HttpResponse>> GetDownload(RestContext* context, CallContext ctx, RouteCall call) {
  constexpr auto kFileTime = std::chrono::minutes(5);
  CO_TRY_ASSIGN(const std::string url, ReadJson(call.query, "query", ReadPageUrl));
  const agent::Crawler crawler(
      std::make_shared<GuardedCrawls>([context] { return context->Rooms(); }, context->guard));
  CO_TRY_ASSIGN(const json::object file, co_await crawler.Download(std::move(ctx), url, kFileTime));
  net::HttpResponse response = JsonResponse(303, file);
  response.headers.Set("Location", "/v1/workflows/" + TextAt(file, "workflow") + "/artifacts/" +
                                       TextAt(file, "artifact_id"));
  co_return response;
}

struct PageRow {
  std::string_view method;
  std::string_view pattern;
  std::string_view summary;
  RoleSet roles;
  RouteHandler handler;
  std::string_view body = {};
  std::vector<QueryRow> query = {};
};

Route PageRoute(PageRow row) {
  return {.method = row.method,
          .pattern = row.pattern,
          .tag = "crawl",
          .summary = row.summary,
          .roles = row.roles,
          .handler = std::move(row.handler),
          .query = std::move(row.query),
          .body = row.body};
}

}  // namespace

std::vector<Route> PageRoutes(RestContext& context) {
  const QueryRow url = {"url", "string", "The address of the page or file."};
  std::vector<QueryRow> list = {{"query", "string", "Part of the address, title or content."},
                                {"limit", "integer", "At most so many; 50 if not given."},
                                {"offset", "integer", "How many to skip."}};
  return {PageRoute({"GET",
                     "/view",
                     "What was last kept of a page.",
                     kPageReaders,
                     Handle<GetView>(context),
                     "",
                     {url}}),
          PageRoute({"GET",
                     "/download",
                     "Bring a file down; it is found where this leads.",
                     kPageWriters,
                     Handle<GetDownload>(context),
                     "",
                     {url}}),
          PageRoute({"GET", "/api/cache/list", "The pages that are kept, newest first.",
                     kPageReaders, Handle<GetCacheList>(context), "", std::move(list)}),
          PageRoute({"POST", "/api/cache/search", "Those of the kept pages that say something.",
                     kPageReaders, Handle<PostCacheSearch>(context), "CacheSearch"}),
          PageRoute({"GET", "/api/cache/doc/{document}", "A page that is kept.", kPageReaders,
                     Handle<GetCachedPage>(context)}),
          PageRoute({"POST", "/api/cache/upsert", "Keep a page that was read elsewhere.",
                     kPageWriters, Handle<PostCachedPage>(context), "CachedPage"}),
          PageRoute({"POST", "/api/cache/prune", "Remove kept pages that are old.", kPagePruners,
                     Handle<PostCachePrune>(context), "CachePrune"})};
}

}  // namespace falconer::api
