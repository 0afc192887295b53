// The tools for programs that speak plain HTTP, and the steps that calls of tools leave, whoever
// made them.

#include <limits>
#include <utility>

#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/aside.h"
#include "api/tools/catalog.h"
#include "api/tools/own_chain.h"
#include "ledger/reader.h"

namespace falconer::api {
namespace {

constexpr RoleSet kCallingTools = {Role::kAgent, Role::kOperator};
constexpr RoleSet kReadingTools = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr std::string_view kJsonLines = "application/jsonl";
constexpr Bounds<std::int64_t> kStepPages = {1, 1000};
constexpr std::int64_t kUsualStepPage = 200;
constexpr Bounds<std::int64_t> kStepCursors = {1, std::numeric_limits<std::int64_t>::max()};

// As MCP lists it, and what else is known of it.
json::object ToolListing(const Tool& tool) {
  json::object listed = tool.ToJson();
  for (auto& member : tool.info.ToJson()) listed.emplace(member.key(), std::move(member.value()));
  return listed;
}

Task<Result<net::HttpResponse>> ListTools(RestContext* context, CallContext, RouteCall) {
  ToolContext tools(context->host, context->version);
  json::array list;
  for (const Tool& tool : MakeCatalog(tools, context->tool_groups).tools())
    list.push_back(ToolListing(tool));
  co_return JsonResponse(200, json::object{{"tools", std::move(list)}});
}

// Null for a role that calls no tools.
std::shared_ptr<const ToolCatalog> ToolsFor(const RestContext& context, Role role) {
  const auto found = context.tools.find(role);
  return found == context.tools.end() ? nullptr : found->second;
}

// A call without arguments needs no body.
Result<json::object> ArgumentsIn(const RouteCall& call) {
  if (call.request.body.empty()) return json::object();
  TRY_ASSIGN(const json::value body, call.Body());
  if (!body.is_object()) return Fail(ErrorCode::kInvalidArgument, "body: expected object");
  return body.get_object();
}

json::object PayloadOf(const CalledTool& called) {
  const agent::ToolResult& result = called.result;
  json::array artifacts;
  for (const std::string& id : result.artifacts) artifacts.emplace_back(id);
  json::object payload{{"text", result.text}, {"artifacts", std::move(artifacts)}};
  if (result.structured) payload["structured"] = *result.structured;
  if (const auto& image = called.answer.image)
    payload["image"] = {{"media_type", image->mime}, {"base64", image->base64}};
  return payload;
}

// The one form in which routes tell what came of a call.
json::object ToolResultJson(const CalledTool& called, const std::string& run) {
  using std::chrono::milliseconds;
  const agent::ToolResult& result = called.result;
  json::object object{
      {"ok", result.ok()},
      {"payload", PayloadOf(called)},
      {"error_code", nullptr},
      {"retriable", !result.ok() && result.failure->is_retriable},
      {"duration_ms", std::chrono::duration_cast<milliseconds>(result.took).count()},
      {"run_id", run},
      {"step_id", result.step_id}};
  if (result.ok()) return object;
  object["error_code"] = result.error_code();
  object["error"] = result.failure->ToJson();
  return object;
}

net::HttpResponse ToolResponse(const CalledTool& called, const std::string& run) {
  const auto& failure = called.result.failure;
  const int status = failure ? TraitsOf(failure->error.code()).http_status : 200;
  net::HttpResponse response = JsonResponse(status, ToolResultJson(called, run));
  if (failure && failure->retry_after) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*failure->retry_after);
    response.headers.Add("Retry-After", std::to_string(seconds.count()));
  }
  return response;
}

ToolCall PlainCall(json::object arguments) {
  return {.arguments = std::move(arguments),
          .report = [](const std::string&) {},
          .input = {},
          .log = [](LogLevel, const json::value&) {}};
}

CalledTool UnknownTool(const ToolCatalog& tools, const std::string& name, json::object arguments) {
  std::vector<std::string> known;
  for (const Tool& tool : tools.tools()) known.push_back(tool.info.name);
  return {.answer = {},
          .result = tools.dispatcher()->Unknown(
              {.id = "", .name = name, .arguments = std::move(arguments)}, known)};
}

Task<Result<net::HttpResponse>> PostTool(RestContext* context, CallContext ctx, RouteCall call) {
  const auto tools = ToolsFor(*context, call.client.role);
  if (!tools) co_return Fail(ErrorCode::kUnsupported, "this server calls no tools by its routes");
  CO_TRY_ASSIGN(json::object arguments, ArgumentsIn(call));
  const std::string& name = call.At("name");
  const std::string run = tools->dispatcher()->run_id();
  const Tool* tool = tools->Find(name);
  if (tool == nullptr) co_return ToolResponse(UnknownTool(*tools, name, std::move(arguments)), run);
  const CalledTool called =
      co_await tools->Call(std::move(ctx), tool, PlainCall(std::move(arguments)));
  co_return ToolResponse(called, run);
}

// Any role's: all have the same.
bool IsOffered(const RestContext& context, const PathValues& path) {
  const auto name = path.find("name");
  return !context.tools.empty() && name != path.end() &&
         context.tools.begin()->second->Find(name->second) != nullptr;
}

enum class StepsForm : std::uint8_t { kJson, kJsonLines };

constexpr EnumName<StepsForm> kStepsForms[] = {
    {StepsForm::kJson, "json"},
    {StepsForm::kJsonLines, "jsonl"},
};

struct StepsQuestion {
  std::string run;
  StepsForm form = StepsForm::kJson;
  std::uint64_t cursor = 1;
  std::size_t limit = 0;
};

StepsQuestion ReadStepsQuestion(JsonReader& in) {
  return {
      .run = {},
      .form = in.OptionalEnum("format", kStepsForms).value_or(StepsForm::kJson),
      .cursor = static_cast<std::uint64_t>(in.OptionalInteger("cursor", kStepCursors).value_or(1)),
      .limit = static_cast<std::size_t>(
          in.OptionalInteger("limit", kStepPages).value_or(kUsualStepPage))};
}

// Each with the time and the place of its record.
Result<json::object> StepOf(const ledger::StoredRecord& record) {
  TRY_ASSIGN(const json::object row, ledger::RecordToJson(record.view()));
  const json::value* step = row.at("payload").as_object().if_contains("step");
  json::object told = step != nullptr && step->is_object() ? step->get_object() : json::object();
  told["time_ms"] = row.at("time_ms");
  told["seq"] = row.at("seq");
  return told;
}

// A tenant who has done nothing yet has no chain; that is no failure.
Result<json::object> StepsIn(const OwnChain& chain, const StepsQuestion& question) {
  json::object answer{{"run_id", question.run}, {"steps", json::array()}, {"next", nullptr}};
  auto reader = ledger::ChainReader::Open(chain.folder());
  if (!reader && reader.error().code() == ErrorCode::kNotFound) return answer;
  if (!reader) return std::unexpected(reader.error());
  const ledger::RecordFilter filter{.run = question.run, .kind = ledger::RecordKind::kToolStep};
  TRY_ASSIGN(const auto page, reader->Query(filter, question.cursor, question.limit));
  for (const ledger::StoredRecord& record : page.records) {
    TRY_ASSIGN(json::object step, StepOf(record));
    answer["steps"].as_array().push_back(std::move(step));
  }
  if (page.next != 0) answer["next"] = page.next;
  return answer;
}

net::HttpResponse StepLines(const json::object& answer) {
  std::string lines;
  for (const json::value& step : answer.at("steps").as_array())
    lines += json::serialize(step) + "\n";
  net::HttpResponse response = net::TextResponse(200, std::string(kJsonLines), std::move(lines));
  const json::value& next = answer.at("next");
  if (!next.is_null()) response.headers.Add("X-Next-Cursor", json::serialize(next));
  return response;
}

Task<Result<net::HttpResponse>> GetSteps(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(StepsQuestion question, ReadJson(call.query, "query", ReadStepsQuestion));
  question.run = call.At("run");
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(auto answer,
                co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms), question] {
                  return StepsIn(chain, question);
                }));
  if (question.form == StepsForm::kJsonLines) co_return StepLines(answer);
  co_return JsonResponse(200, answer);
}

Route CallRoute(RestContext& context, std::string_view pattern, std::string_view summary) {
  return {.method = "POST",
          .pattern = pattern,
          .tag = "tools",
          .summary = summary,
          .roles = kCallingTools,
          .handler = Handle<PostTool>(context),
          .body = "ToolArguments",
          .is_body_optional = true};
}

}  // namespace

std::vector<Route> ToolRoutes(RestContext& context) {
  Route by_name = CallRoute(context, "/{name}", "The same, by the name of the tool alone.");
  by_name.applies = [&context](const PathValues& path) { return IsOffered(context, path); };
  return {{.method = "GET",
           .pattern = "/tools",
           .tag = "tools",
           .summary = "The tools that /mcp offers: schemas, side effects, times and retries.",
           .roles = kReadingTools,
           .handler = Handle<ListTools>(context)},
          CallRoute(context, "/tools/{name}", "Call a tool: the body is its arguments."),
          std::move(by_name),
          {.method = "GET",
           .pattern = "/v1/runs/{run}/steps",
           .tag = "tools",
           .summary = "The calls of tools of a run, oldest first, whoever made them.",
           .roles = kAuditing,
           .handler = Handle<GetSteps>(context),
           .query = {{"format", "string", "json, or jsonl with a step in each line (json)"},
                     {"cursor", "integer", "from this record on (1)"},
                     {"limit", "integer", "at most so many, 1 to 1000 (200)"}}}};
}

}  // namespace falconer::api
