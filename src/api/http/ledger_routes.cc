// The record of what was done.

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/aside.h"
#include "api/tools/own_chain.h"
#include "base/text.h"
#include "engine/replay/replay_trace.h"
#include "ledger/inclusion_proof.h"
#include "ledger/reader.h"

namespace falconer::api {
namespace {

constexpr Bounds<std::int64_t> kPageSizes = {1, 500};
constexpr std::int64_t kUsualPage = 50;
constexpr Bounds<std::int64_t> kTracePageSizes = {1, 100};
constexpr std::int64_t kUsualTracePage = 20;
constexpr std::uint64_t kWorkflowRecords = 10'000;
// What is in memory of them at once.
constexpr std::size_t kWorkflowPage = 256;
constexpr Bounds<std::int64_t> kSeqs = {1, std::numeric_limits<std::int64_t>::max()};

Task<Result<net::HttpResponse>> VerifyLedger(RestContext* context, CallContext ctx, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const auto report, co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms)] {
                  return chain.Verify();
                }));
  co_return JsonResponse(200, report.ToJson());
}

struct RecordsQuestion {
  ledger::RecordFilter filter;
  std::uint64_t cursor = 1;
  std::size_t limit = 0;
};

std::optional<ledger::RecordKind> ReadKind(JsonReader& in) {
  const auto name = in.OptionalString("kind");
  if (!name) return std::nullopt;
  const auto kind = ledger::RecordKindNamed(*name);
  if (!kind) in.Reject("kind", "there is no kind " + *name);
  return kind;
}

RecordsQuestion ReadRecordsQuestion(JsonReader& in) {
  return {.filter = {.agent = in.OptionalString("agent"),
                     .session = in.OptionalString("session"),
                     .plan = in.OptionalString("plan"),
                     .run = in.OptionalString("run"),
                     .workflow = in.OptionalString("workflow"),
                     .action = in.OptionalString("action"),
                     .kind = ReadKind(in),
                     .start_ms = in.OptionalInteger("start_ms"),
                     .end_ms = in.OptionalInteger("end_ms")},
          .cursor = static_cast<std::uint64_t>(in.OptionalInteger("cursor", kSeqs).value_or(1)),
          .limit = static_cast<std::size_t>(
              in.OptionalInteger("limit", kPageSizes).value_or(kUsualPage))};
}

// A tenant who has done nothing yet has no chain; that is no failure.
Result<json::object> RecordsIn(const OwnChain& chain, const RecordsQuestion& question) {
  json::object answer{{"records", json::array()}, {"next", nullptr}, {"last_seq", 0}};
  auto reader = ledger::ChainReader::Open(chain.folder());
  if (!reader && reader.error().code() == ErrorCode::kNotFound) return answer;
  if (!reader) return std::unexpected(reader.error());
  TRY_ASSIGN(const std::uint64_t last, reader->LastSeq());
  TRY_ASSIGN(const auto page, reader->Query(question.filter, question.cursor, question.limit));
  for (const ledger::StoredRecord& record : page.records) {
    TRY_ASSIGN(json::object row, ledger::RecordToJson(record.view()));
    answer["records"].as_array().push_back(std::move(row));
  }
  answer["last_seq"] = last;
  if (page.next != 0) answer["next"] = page.next;
  return answer;
}

Task<Result<net::HttpResponse>> ListRecords(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const RecordsQuestion question, ReadJson(call.query, "query", ReadRecordsQuestion));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(auto answer,
                co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms), question] {
                  return RecordsIn(chain, question);
                }));
  context->guard.Clean(answer);
  co_return JsonResponse(200, answer);
}

Result<std::uint64_t> SeqOf(const RouteCall& call) {
  const auto seq = ParseWhole(call.At("seq"));
  if (seq && kSeqs.Contains(*seq)) return static_cast<std::uint64_t>(*seq);
  return Fail(ErrorCode::kInvalidArgument, "seq: must be the number of a record");
}

Result<json::object> RecordIn(const OwnChain& chain, std::uint64_t seq) {
  TRY_ASSIGN(auto reader, ledger::ChainReader::Open(chain.folder()));
  TRY_ASSIGN(const ledger::StoredRecord record, reader.At(seq));
  return ledger::RecordToJson(record.view());
}

Task<Result<net::HttpResponse>> GetRecord(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const std::uint64_t seq, SeqOf(call));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(auto record, co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms), seq] {
                  return RecordIn(chain, seq);
                }));
  context->guard.Clean(record);
  co_return JsonResponse(200, record);
}

// Its bytes are what was signed: nothing is masked beyond what the ledger itself masks.
Task<Result<net::HttpResponse>> GetProof(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const std::uint64_t seq, SeqOf(call));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  // A record may be newer than the last signature.
  CO_TRY(co_await rooms.runtime->parts().ledger.AddCheckpoint(rooms.caller.tenant));
  CO_TRY_ASSIGN(const auto proof,
                co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms), seq] {
                  return ledger::ProveRecord(chain.folder(), {}, seq, {{chain.key}});
                }));
  co_return JsonResponse(200, proof.ToJson());
}

// What is told of one workflow.
struct WorkflowUse {
  std::uint64_t turns = 0;
  std::uint64_t failed = 0;
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;
};

void CountTurn(const json::object& record, std::map<std::string, WorkflowUse>& uses) {
  const json::object& payload = record.at("payload").as_object();
  WorkflowUse& use = uses[TextAt(payload, "workflow")];
  const json::value* success = payload.if_contains("success");
  ++use.turns;
  if (success != nullptr && *success == json::value(false)) ++use.failed;
  use.last_ms = record.at("time_ms").as_int64();
  if (use.first_ms == 0) use.first_ms = use.last_ms;
}

json::array UsesJson(const std::map<std::string, WorkflowUse>& uses) {
  json::array list;
  for (const auto& [name, use] : uses) {
    list.push_back(json::object{{"workflow", name},
                                {"turns", use.turns},
                                {"failed", use.failed},
                                {"first_ms", use.first_ms},
                                {"last_ms", use.last_ms}});
  }
  return list;
}

// Of the newest records only: a chain may be long.
Result<json::object> WorkflowsIn(const OwnChain& chain) {
  std::map<std::string, WorkflowUse> uses;
  auto reader = ledger::ChainReader::Open(chain.folder());
  if (!reader && reader.error().code() != ErrorCode::kNotFound)
    return std::unexpected(reader.error());
  if (!reader) return json::object{{"workflows", json::array()}, {"from_seq", 1}};
  TRY_ASSIGN(const std::uint64_t last, reader->LastSeq());
  const std::uint64_t before = last - std::min(last, kWorkflowRecords);
  const std::uint64_t from = std::max(before + 1, reader->first_seq());
  for (std::uint64_t next = from; next != 0;) {
    TRY_ASSIGN(const auto page,
               reader->Query({.kind = ledger::RecordKind::kTurnClosed}, next, kWorkflowPage));
    for (const ledger::StoredRecord& record : page.records) {
      TRY_ASSIGN(const json::object row, ledger::RecordToJson(record.view()));
      CountTurn(row, uses);
    }
    next = page.next;
  }
  return json::object{{"workflows", UsesJson(uses)}, {"from_seq", from}};
}

Task<Result<net::HttpResponse>> ListWorkflows(RestContext* context, CallContext ctx, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const auto answer, co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms)] {
                  return WorkflowsIn(chain);
                }));
  co_return JsonResponse(200, answer);
}

engine::TracePage ReadTracePage(JsonReader& in) {
  return {.cursor = static_cast<std::uint64_t>(in.OptionalInteger("cursor", kSeqs).value_or(1)),
          .limit = static_cast<std::size_t>(
              in.OptionalInteger("limit", kTracePageSizes).value_or(kUsualTracePage))};
}

Task<Result<net::HttpResponse>> GetTrace(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const engine::TracePage page, ReadJson(call.query, "query", ReadTracePage));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(auto trace, co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms),
                                                            id = call.At("id"), page] {
                  return engine::ReplayTrace(chain.data, chain.tenant, id, page);
                }));
  context->guard.Clean(trace);
  co_return JsonResponse(200, trace);
}

}  // namespace

std::vector<Route> LedgerRoutes(RestContext& context) {
  return {
      {.method = "GET",
       .pattern = "/v1/ledger/verification",
       .tag = "ledger",
       .summary = "Check every record, hash and signature.",
       .roles = kAuditing,
       .handler = Handle<VerifyLedger>(context)},
      {.method = "GET",
       .pattern = "/v1/ledger/records",
       .tag = "ledger",
       .summary = "Records, oldest first, by what they say.",
       .roles = kAuditing,
       .handler = Handle<ListRecords>(context),
       .query = {{"agent", "string", "of this agent"},
                 {"session", "string", "of this session id"},
                 {"plan", "string", "of this plan"},
                 {"run", "string", "of this run"},
                 {"workflow", "string", "of this workflow"},
                 {"action", "string", "of this action_id, or one that begins so"},
                 {"kind", "string", "of this kind: turn_closed, refusal, approval, ..."},
                 {"start_ms", "integer", "not before, as milliseconds since 1970"},
                 {"end_ms", "integer", "before, as milliseconds since 1970"},
                 {"cursor", "integer", "from this record on (1)"},
                 {"limit", "integer", "at most so many, 1 to 500 (50)"}}},
      {.method = "GET",
       .pattern = "/v1/ledger/records/{seq}",
       .tag = "ledger",
       .summary = "One record.",
       .roles = kAuditing,
       .handler = Handle<GetRecord>(context)},
      {.method = "GET",
       .pattern = "/v1/ledger/records/{seq}/proof",
       .tag = "ledger",
       .summary = "The proof that a record is under a signed checkpoint, for verifying offline.",
       .roles = kAuditing,
       .handler = Handle<GetProof>(context)},
      {.method = "GET",
       .pattern = "/v1/ledger/workflows",
       .tag = "ledger",
       .summary = "The workflows of the newest ten thousand records, with their turns.",
       .roles = kAuditing,
       .handler = Handle<ListWorkflows>(context)},
      {.method = "GET",
       .pattern = "/v1/traces/{id}",
       .tag = "ledger",
       .summary = "What a workflow, run, turn or action went through, replayed from the record.",
       .roles = kAuditing,
       .handler = Handle<GetTrace>(context),
       .query = {{"cursor", "integer", "from this record on (1)"},
                 {"limit", "integer", "at most so many turns, 1 to 100 (20)"}}}};
}

}  // namespace falconer::api
