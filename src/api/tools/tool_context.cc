#include "api/tools/tool_context.h"

#include <fmt/format.h>
#include <utility>

#include "api/tools/artifact_link.h"
#include "api/tools/input_schema.h"
#include "base/check.h"
#include "base/random.h"
#include "model/contract/contract.h"

namespace falconer::api {
namespace {

constexpr std::string_view kChooserLine =
    "a file chooser is open: browser_file_upload without a target answers it";
constexpr auto kSteps = static_cast<std::uint64_t>(model::kStepIndexes.max);

// "" for a run that goes on since it began.
std::string SeriesMark(std::int64_t times_resumed) {
  return times_resumed == 0 ? "" : fmt::format("r{}.", times_resumed);
}

Task<ToolAnswer> Answered(CallContext ctx, ToolContext* context, ToolCall call, ToolBody body,
                          ToolTerms terms) {
  const bool keeps_time = terms.timekeeper == agent::Timekeeper::kTool;
  CallContext own = keeps_time ? context->TimeFor(ctx, call, terms.timeout) : std::move(ctx);
  const auto done = co_await body(std::move(own), context, std::move(call));
  ToolAnswer answer = done ? *done : ErrorAnswer(done.error());
  context->guard().Finish(answer);
  co_return answer;
}

}  // namespace

ToolContext::ToolContext(ToolHost& host, std::string version, ToolCaller caller)
    : host_(host),
      version_(std::move(version)),
      run_(caller.run.empty() ? "mcp-" + RandomHex(6) : std::move(caller.run)),
      mode_(caller.mode),
      series_(run_ + ":" + SeriesMark(caller.times_resumed)),
      trace_(host),
      dispatcher_(std::make_shared<agent::Dispatcher>(
          agent::DispatchSetup{.run_id = run_,
                               .series = SeriesMark(caller.times_resumed),
                               .mode = mode_,
                               .trace = &trace_})) {
}

Result<ToolRooms> ToolContext::Rooms() {
  TRY_ASSIGN(ToolRooms rooms, host_.Rooms());
  guard_.Use(rooms.redactor, rooms.quarantine);
  return rooms;
}

WorkflowId ToolContext::WorkflowOf(const std::string& session) const {
  return WorkflowId(session == kMainSession ? session + "@" + run_ : session);
}

browser::SessionKey ToolContext::KeyOf(const ToolRooms& rooms, const std::string& session) const {
  return {.tenant = rooms.caller.tenant, .workflow = WorkflowOf(session)};
}

std::string ToolContext::PageOf(const std::string& session) {
  const auto rooms = host_.Rooms();
  if (!rooms) return "";
  const auto open = rooms->runtime->SessionAside(KeyOf(*rooms, session));
  if (!open->kit) return "";
  const auto tab = open->kit->session->tabs().Active();
  if (!tab) return "";
  const auto main = (*tab)->frames().main();
  const std::uint32_t document = main && main->document ? main->document->ordinal : 0;
  return fmt::format("{} {} {}", (*tab)->id().value(), document, (*tab)->url());
}

// A workflow of the caller's own is left as he names it: sent to another server, the contract is
// still the same one.
void ToolContext::Complete(json::object& contract, const std::string& session) const {
  if (contract.contains("workflow_id") && mode_ == agent::CallMode::kExternal) return;
  contract["workflow_id"] = WorkflowOf(session).value();
  if (!contract.contains("run_id")) contract["run_id"] = run_;
}

json::object ToolContext::ContractOf(const ActionWish& wish) {
  const std::uint64_t step = calls_++;
  json::object contract;
  Complete(contract, wish.session);
  contract["step_index"] = static_cast<std::int64_t>(step % (kSteps + 1));
  contract["idempotency"] = {{"key", series_ + std::to_string(step)}};
  if (!wish.intent.empty()) contract["intent"] = wish.intent;
  contract["action_spec"] = wish.spec;
  if (!wish.waits.empty()) contract["wait_conditions"] = wish.waits;
  if (!wish.timeouts.empty()) contract["timeout"] = wish.timeouts;
  if (wish.attempts) contract["retry"] = {{"max_attempts", *wish.attempts}};
  return contract;
}

CallContext ToolContext::TimeFor(const CallContext& ctx, const ToolCall& call, Duration timeout) {
  const std::string named = TextAt(call.arguments, "session");
  const auto rooms = host_.Rooms();
  if (!rooms) return ctx.WithTimeout(timeout);
  const auto session = rooms->runtime->SessionAside(
      KeyOf(*rooms, named.empty() ? std::string(kMainSession) : named));
  if (!session->holds) return ctx.WithTimeout(timeout);
  return ctx.WithStops(session->holds->stops()).WithTimeout(timeout);
}

Task<Result<model::ActionExecutionResult>> ToolContext::Act(CallContext ctx, ActionWish wish) {
  CO_TRY_ASSIGN(const ToolRooms rooms, Rooms());
  CO_TRY_ASSIGN(const auto bytes,
                co_await rooms.runtime->Execute(std::move(ctx), rooms.caller, ContractOf(wish)));
  CO_TRY_ASSIGN(const json::value value, ParseJson(*bytes));
  co_return model::ActionExecutionResult::FromJson(value);
}

Task<Result<ToolContext::Seen>> ToolContext::LastSeen(CallContext ctx, std::string session) {
  CO_TRY_ASSIGN(const ToolRooms rooms, Rooms());
  CO_TRY_ASSIGN(const auto open,
                co_await rooms.runtime->SessionFor(std::move(ctx), KeyOf(rooms, session)));
  if (!open->kit) co_return Seen{};
  const auto tab = open->kit->session->tabs().Active();
  if (!tab) co_return Seen{};
  co_return Seen{.state = open->kit->tracker.Last((*tab)->id()),
                 .asks_for_file = (*tab)->file_chooser().has_value()};
}

Task<Result<ToolAnswer>> ToolContext::Tell(CallContext ctx, std::string session,
                                           model::ActionExecutionResult result, AnswerStyle style) {
  std::optional<model::StateDelta> news;
  // What was refused has not looked at the page.
  const bool has_looked = !result.post_state_id.empty();
  if (has_looked) {
    // What was done is told, however long it took.
    const auto telling = CallContext(ctx.executor(), ctx.clock()).WithCancel(ctx.cancel());
    CO_TRY_ASSIGN(const Seen now, co_await LastSeen(telling, session));
    if (now.state != nullptr) {
      model::StructuredState shown = *now.state;
      guard_.Clean(shown);
      news = memory_.News(session, shown);
    }
    if (now.asks_for_file) style.more.push_back({model::Weight::kAlert, std::string(kChooserLine)});
  }
  guard_.Clean(result);
  CO_TRY_ASSIGN(const ToolRooms rooms, Rooms());
  const AnswerBudget budget = co_await Budget();
  ToolAnswer answer = ResultAnswer(result, std::move(news), style, budget.answer);
  answer.links = ArtifactLinks(session, result.artifacts);
  if (answer.trimmed) {
    rooms.runtime->NoteView(rooms.caller, {.workflow = WorkflowOf(session),
                                           .run = RunId(run_),
                                           .turn = result.turn_id,
                                           .action = result.action_id,
                                           .trimmed = *answer.trimmed});
  }
  co_return answer;
}

Task<Result<ToolAnswer>> ToolContext::ActAndTell(CallContext ctx, ActionWish wish,
                                                 AnswerStyle style) {
  std::string session = wish.session;
  CO_TRY_ASSIGN(auto result, co_await Act(ctx, std::move(wish)));
  co_return co_await Tell(std::move(ctx), std::move(session), std::move(result), std::move(style));
}

Tool MakeTool(ToolContext& context, ToolRow row) {
  const auto run = [&context, body = row.body, terms = row.terms](CallContext ctx, ToolCall call) {
    return Answered(std::move(ctx), &context, std::move(call), body, terms);
  };
  agent::ToolDescriptor info = std::move(row.info);
  info.timeout = row.terms.timeout;
  info.retry.retries = row.terms.retries;
  info.timekeeper = row.terms.timekeeper;
  if (row.terms.capability) info.capability = model::CapabilityName(*row.terms.capability);
  info.accepted_schema = AcceptedSchema(info.input_schema);
  const auto checked = CheckDescriptor(info);
  CHECK(checked.has_value(), checked ? "" : checked.error().message());
  return {.info = std::move(info), .run = run, .tasks = row.tasks};
}

}  // namespace falconer::api
