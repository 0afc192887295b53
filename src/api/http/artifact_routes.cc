// Files: what callers give for uploads, what was downloaded, pictures and documents of pages.

#include <algorithm>
#include <utility>

#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/aside.h"

namespace falconer::api {
namespace {

constexpr RoleSet kFetching = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr RoleSet kGiving = {Role::kAgent, Role::kOperator};
constexpr RoleSet kPurging = {Role::kOperator};
constexpr Bounds<std::int64_t> kListSizes = {1, 1000};
constexpr std::int64_t kUsualList = 100;
constexpr std::size_t kPieceBytes = 256UZ << 10U;
constexpr std::size_t kLongestName = 255;

// What a browser may show by itself; the rest it only saves. Nothing here can run.
constexpr std::string_view kShown[] = {"image/png", "image/jpeg", "image/webp", "text/plain",
                                       "application/json"};

browser::ArtifactOwner OwnerOf(const ToolRooms& rooms, const RouteCall& call) {
  return {.tenant = rooms.caller.tenant, .workflow = WorkflowId(call.At("workflow"))};
}

struct ListQuestion {
  std::string cursor;
  std::size_t limit = 0;
};

ListQuestion ReadListQuestion(JsonReader& in) {
  return {.cursor = in.OptionalString("cursor").value_or(""),
          .limit = static_cast<std::size_t>(
              in.OptionalInteger("limit", kListSizes).value_or(kUsualList))};
}

// Which files are told of.
enum class ListedFiles : std::uint8_t { kAll, kPictures };

template <ListedFiles which>
Task<Result<net::HttpResponse>> ListArtifacts(RestContext* context, CallContext ctx,
                                              RouteCall call) {
  CO_TRY_ASSIGN(const ListQuestion question, ReadJson(call.query, "query", ReadListQuestion));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const auto page,
                co_await Aside(std::move(ctx), [manager = &rooms.runtime->parts().artifacts,
                                                owner = OwnerOf(rooms, call), question] {
                  return manager->List(owner, question.cursor, question.limit);
                }));
  json::object answer{{"artifacts", json::array()}, {"next", nullptr}};
  for (const browser::ArtifactRecord& record : page.artifacts) {
    const bool is_picture = record.mime.starts_with("image/");
    if (which == ListedFiles::kAll || is_picture)
      answer["artifacts"].as_array().push_back(record.ToJson());
  }
  if (!page.next.empty()) answer["next"] = page.next;
  context->guard.Clean(answer);
  co_return JsonResponse(200, answer);
}

std::string ReadUploadName(JsonReader& in) {
  return in.String("name", {1, kLongestName});
}

Task<Result<net::HttpResponse>> PostArtifact(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(const std::string name, ReadJson(call.query, "query", ReadUploadName));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const auto record,
                co_await Aside(std::move(ctx), [manager = &rooms.runtime->parts().artifacts,
                                                owner = OwnerOf(rooms, call), name,
                                                bytes = std::move(call.request.body)] {
                  return manager->RegisterUpload(owner, name, bytes);
                }));
  co_return JsonResponse(201, record.ToJson());
}

// One file on its way out.
struct Sending {
  browser::ArtifactManager* manager;
  browser::ArtifactOwner owner;
  std::string id;
};

Task<Result<void>> SendFile(CallContext ctx, Sending file, net::BodyWriter* out) {
  for (std::uint64_t offset = 0;;) {
    CO_TRY_ASSIGN(std::string piece, co_await Aside(ctx, [&file, offset] {
                    return file.manager->Read(file.owner, file.id, offset, kPieceBytes);
                  }));
    if (piece.empty()) co_return Result<void>();
    offset += piece.size();
    CO_TRY(co_await out->Write(std::move(piece)));
  }
}

net::HttpResponse FileResponse(const browser::ArtifactRecord& record, net::BodyStream stream) {
  const bool is_shown = std::ranges::find(kShown, record.mime) != std::end(kShown);
  net::HttpResponse response{.stream = std::move(stream)};
  response.headers.Set("Content-Type", is_shown ? record.mime : "application/octet-stream");
  response.headers.Set("Content-Length", std::to_string(record.bytes));
  response.headers.Set("Content-Disposition", is_shown ? "inline" : "attachment");
  response.headers.Set("Content-Security-Policy", "sandbox; default-src 'none'");
  response.headers.Set("ETag", "\"" + record.sha256 + "\"");
  return response;
}

Task<Result<net::HttpResponse>> GetArtifact(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  Sending file{&rooms.runtime->parts().artifacts, OwnerOf(rooms, call), call.At("artifact")};
  CO_TRY_ASSIGN(const auto record,
                co_await Aside(ctx, [&file] { return file.manager->Find(file.owner, file.id); }));
  co_return FileResponse(record,
                         [ctx, file](net::BodyWriter* out) { return SendFile(ctx, file, out); });
}

std::chrono::milliseconds ReadAge(JsonReader& in) {
  constexpr Bounds<std::int64_t> kAges = {0, std::numeric_limits<std::int64_t>::max()};
  return std::chrono::milliseconds(in.OptionalInteger("older_than_ms", kAges).value_or(0));
}

Task<Result<net::HttpResponse>> PurgeArtifacts(RestContext* context, CallContext ctx,
                                               RouteCall call) {
  CO_TRY_ASSIGN(const auto age, ReadJson(call.query, "query", ReadAge));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const auto purged,
                co_await Aside(std::move(ctx), [manager = &rooms.runtime->parts().artifacts,
                                                owner = OwnerOf(rooms, call), age] {
                  return manager->Purge(owner.tenant,
                                        {.workflow = owner.workflow, .older_than = age});
                }));
  co_return JsonResponse(200,
                         json::object{{"artifacts", purged.artifacts}, {"bytes", purged.bytes}});
}

std::vector<QueryRow> PageRows() {
  return {{"cursor", "string", "where the page before ended"},
          {"limit", "integer", "at most so many, 1 to 1000 (100)"}};
}

Route SessionFileRoute(std::string_view pattern, std::string_view summary, RouteHandler handler,
                       std::vector<QueryRow> query) {
  return {.method = "GET",
          .pattern = pattern,
          .tag = "artifacts",
          .summary = summary,
          .roles = kFetching,
          .handler = std::move(handler),
          .query = std::move(query)};
}

}  // namespace

std::vector<Route> ArtifactRoutes(RestContext& context) {
  constexpr std::string_view kAll = "/v1/workflows/{workflow}/artifacts";
  return {{.method = "GET",
           .pattern = kAll,
           .tag = "artifacts",
           .summary = "The files of a workflow, oldest first.",
           .roles = kFetching,
           .handler = Handle<ListArtifacts<ListedFiles::kAll>>(context),
           .query = PageRows()},
          {.method = "POST",
           .pattern = kAll,
           .tag = "artifacts",
           .summary = "Give a file, as it is, that an upload can name by its id.",
           .roles = kGiving,
           .handler = Handle<PostArtifact>(context),
           .query = {{"name", "string", "what pages are told it is called"}}},
          {.method = "GET",
           .pattern = "/v1/workflows/{workflow}/artifacts/{artifact}",
           .tag = "artifacts",
           .summary = "The bytes of a file.",
           .roles = kFetching,
           .handler = Handle<GetArtifact>(context)},
          {.method = "POST",
           .pattern = "/v1/workflows/{workflow}/artifacts/purge",
           .tag = "artifacts",
           .summary = "Remove the files of a workflow and give their bytes back.",
           .roles = kPurging,
           .handler = Handle<PurgeArtifacts>(context),
           .query = {{"older_than_ms", "integer", "only those at least so old (0)"}}},
          SessionFileRoute("/api/sessions/{workflow}/files", "The files of a session's workflow.",
                           Handle<ListArtifacts<ListedFiles::kAll>>(context), PageRows()),
          SessionFileRoute(
              "/api/sessions/{workflow}/screenshots",
              "The pictures among them; a part of the list may have none and yet a next part.",
              Handle<ListArtifacts<ListedFiles::kPictures>>(context), PageRows()),
          SessionFileRoute("/api/sessions/{workflow}/files/{artifact}", "The bytes of one of them.",
                           Handle<GetArtifact>(context), {})};
}

}  // namespace falconer::api
