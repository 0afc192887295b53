#include "api/tools/audit_tools.h"

#include <fmt/format.h>
#include <utility>

#include "api/tools/aside.h"
#include "api/tools/input_schema.h"
#include "api/tools/own_chain.h"
#include "base/hex.h"
#include "base/units.h"
#include "engine/replay/replay_trace.h"
#include "ledger/reader.h"
#include "model/token_estimate.h"

namespace falconer::api {
namespace {

using enum Need;
using model::ViewLine;
using model::Weight;

constexpr std::size_t kTraceTokens = kAnswerTokens - kMarkTokens;
constexpr Bounds<std::int64_t> kTraceLimits = {1, 100};
constexpr Bounds<std::int64_t> kCursors = {1, std::numeric_limits<std::int64_t>::max()};

// Chains grow.
constexpr auto kVerifyTime = std::chrono::minutes(10);
constexpr auto kTraceTime = std::chrono::minutes(2);

struct Nothing {};

Nothing ReadNothing(JsonReader&) {
  return {};
}

ToolAnswer VerifyAnswer(const ledger::VerifyReport& report) {
  std::vector<ViewLine> lines;
  for (const ledger::Finding& finding : report.findings) {
    lines.push_back(
        {Weight::kAlert, fmt::format("{} at record {}: {}", ledger::FindingName(finding.kind),
                                     finding.seq, finding.detail)});
  }
  ToolAnswer answer = LinesAnswer(fmt::format("{}: {} records checked, {} signed, {} checkpoints",
                                              report.is_clean() ? "ok" : "damaged", report.records,
                                              report.signed_size, report.checkpoints),
                                  lines);
  answer.is_error = !report.is_clean();
  if (answer.is_error) {
    answer.failure = agent::ToolFailure::Of(
        Error(ErrorCode::kLedgerDamaged, fmt::format("{} findings", report.findings.size())));
  }
  return answer;
}

Task<Result<ToolAnswer>> VerifyAuditChain(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY(ReadArguments(call, ReadNothing));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const auto report, co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms)] {
                  return chain.Verify();
                }));
  co_return VerifyAnswer(report);
}

struct TraceArguments {
  std::string id;
  engine::TracePage page;
};

TraceArguments ReadTrace(JsonReader& in) {
  TraceArguments args{.id = in.OptionalString("id", {1}).value_or("")};
  args.page.cursor = static_cast<std::uint64_t>(in.OptionalInteger("cursor", kCursors).value_or(1));
  args.page.limit =
      static_cast<std::size_t>(in.OptionalInteger("limit", kTraceLimits).value_or(20));
  return args;
}

// As many turns as an answer holds; "next" says where to read on.
Result<json::object> FittedTrace(const std::filesystem::path& data, const TenantId& tenant,
                                 TraceArguments args) {
  for (;;) {
    TRY_ASSIGN(json::object trace, engine::ReplayTrace(data, tenant, args.id, args.page));
    const bool fits = model::EstimateTokens(json::serialize(trace)) <= kTraceTokens;
    if (fits || args.page.limit == 1) return trace;
    args.page.limit /= 2;
  }
}

Task<Result<ToolAnswer>> GetReplayTrace(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(auto args, ReadArguments(call, ReadTrace));
  // Who names nothing means what this server did.
  if (args.id.empty()) args.id = context->run();
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(auto trace,
                co_await Aside(std::move(ctx), [data = rooms.runtime->parts().ledger.data_folder(),
                                                tenant = rooms.caller.tenant,
                                                args] { return FittedTrace(data, tenant, args); }));
  // The record has what pages said as they said it.
  context->guard().Clean(trace);
  co_return ToolAnswer{.text = CutToBudget(json::serialize(trace), kTraceTokens), .page_at = 0};
}

// The end of the chain as its files have it. Nothing is proven here: verify_audit_chain does.
Result<std::string> LedgerHead(const std::filesystem::path& data, const TenantId& tenant) {
  constexpr std::string_view kNothing = "0 records";
  auto reader = ledger::ChainReader::Open(ledger::ChainPaths::Of(data, tenant).folder);
  if (!reader && reader.error().code() == ErrorCode::kNotFound) return std::string(kNothing);
  if (!reader) return std::unexpected(reader.error());
  TRY_ASSIGN(const std::uint64_t last, reader->LastSeq());
  if (last == 0) return std::string(kNothing);
  TRY_ASSIGN(const auto hash, reader->HashOf(last));
  return fmt::format("{} records, head {}", last, ToHex(hash));
}

std::vector<ViewLine> PoolLines(const std::vector<browser::BrowserStatus>& browsers,
                                const std::vector<browser::SessionInfo>& sessions) {
  std::vector<ViewLine> lines;
  for (const browser::BrowserStatus& one : browsers) {
    lines.push_back(
        {Weight::kDetail, fmt::format("browser {} {} pid {} sessions {}{}", one.number, one.product,
                                      one.pid, one.sessions, one.is_retired ? " retired" : "")});
  }
  for (const browser::SessionInfo& one : sessions) {
    lines.push_back(
        {Weight::kDetail, fmt::format("session {} tabs {} browser {}", one.key.workflow.value(),
                                      one.tabs, one.browser_number)});
  }
  return lines;
}

// One that cannot be read counts as one, as it does at the gate.
std::string PauseText(const Result<std::optional<store::Pause>>& pause) {
  if (!pause) return "nothing is done: pauses cannot be read: " + Describe(pause.error());
  if (!*pause) return "";
  return fmt::format("{} is paused since {} by {}: {}",
                     (*pause)->tenant.empty() ? "everything" : "tenant " + (*pause)->tenant.value(),
                     IsoTime((*pause)->since), (*pause)->by, (*pause)->reason);
}

Task<Result<ToolAnswer>> GetHealth(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY(ReadArguments(call, ReadNothing));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const engine::RuntimeParts& parts = rooms.runtime->parts();
  const TenantId tenant = rooms.caller.tenant;
  const auto head = co_await Aside(std::move(ctx), [data = parts.ledger.data_folder(), tenant] {
    return LedgerHead(data, tenant);
  });
  const std::string paused = PauseText(co_await parts.pauses.Find(tenant));
  const auto browsers = parts.sessions.Browsers();
  const auto sessions = parts.sessions.List();
  std::vector<ViewLine> lines = PoolLines(browsers, sessions);
  if (!paused.empty()) lines.insert(lines.begin(), {Weight::kIdentity, paused});
  lines.push_back(
      {Weight::kIdentity, fmt::format("ledger {} {}", tenant.value(),
                                      head ? *head : "cannot be read: " + Describe(head.error()))});
  ToolAnswer answer =
      LinesAnswer(fmt::format("{} falconer {}, run {}, browsers {}, sessions {}, leases {}",
                              !head            ? "degraded"
                              : paused.empty() ? "ok"
                                               : "paused",
                              context->version(), context->run(), browsers.size(), sessions.size(),
                              parts.leases.held()),
                  lines);
  answer.is_error = !head;
  if (!head) answer.failure = agent::ToolFailure::Of(head.error());
  co_return answer;
}

}  // namespace

std::vector<ToolRow> AuditTools() {
  using enum agent::SideEffect;
  return {
      {{"verify_audit_chain", "Verify the record", "Check every record, hash and signature.",
        kAuditGroup, kRead, PlainSchema({})},
       VerifyAuditChain,
       Looking(std::nullopt, kVerifyTime)},
      {{"get_replay_trace", "Replay", "What a turn or run went through, decision by decision.",
        kAuditGroup, kRead,
        PlainSchema({{"id", TextSchema("turn, run, workflow or action id; this server's run")},
                     {"cursor", WholeSchema()},
                     {"limit", WholeSchema()}})},
       GetReplayTrace,
       Looking(std::nullopt, kTraceTime)},
      {{"get_health", "Health", "Browsers, sessions, leases and the head of the ledger.",
        kAuditGroup, kRead, PlainSchema({})},
       GetHealth,
       Looking(std::nullopt)},
  };
}

}  // namespace falconer::api
