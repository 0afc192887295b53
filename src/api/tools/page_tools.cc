#include "api/tools/page_tools.h"

#include <fmt/format.h>
#include <utility>

#include "api/tools/input_schema.h"
#include "model/view/page_view.h"

namespace falconer::api {
namespace {

using enum Need;
using model::ViewLine;
using model::Weight;

constexpr Bounds<std::int64_t> kTokenBudgets = {100, kAnswerTokens};
constexpr Bounds<std::int64_t> kFindLimits = {1, 50};
constexpr std::int64_t kFindLimit = 10;
// What a script may answer with; the rest is for what it changed on the page.
constexpr std::size_t kValueTokens = kAnswerTokens - 500;
constexpr std::string_view kValueStart = "ok ";
constexpr std::string_view kScopeNames[] = {"viewport", "page"};

struct StateArguments {
  engine::StateQuestion question;
  std::string since;
  std::size_t budget = kAnswerTokens;
  std::string session;
};

StateArguments ReadLook(JsonReader& in) {
  StateArguments args;
  args.question.scope =
      in.OptionalEnum("scope", model::kStateScopes).value_or(model::StateScope::kViewport);
  args.question.offset =
      static_cast<std::size_t>(in.OptionalInteger("offset", model::kOffsets).value_or(0));
  args.budget = static_cast<std::size_t>(
      in.OptionalInteger("max_tokens", kTokenBudgets).value_or(kAnswerTokens));
  args.session = ReadSession(in);
  return args;
}

Task<Result<model::StructuredState>> StateOf(CallContext ctx, ToolContext* context,
                                             StateArguments args) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  engine::Look look(*rooms.runtime, rooms.caller);
  const bool is_whole =
      args.question.scope == model::StateScope::kViewport && args.question.offset == 0;
  CO_TRY_ASSIGN(auto state, co_await look.State(std::move(ctx), context->WorkflowOf(args.session),
                                                std::move(args.question)));
  context->guard().Clean(state);
  // Behind a dialog nothing of the page can be seen: what is known of it stays.
  if (is_whole && state.dialogs.empty()) context->memory().Shown(args.session, state);
  co_return state;
}

Task<Result<ToolAnswer>> Snapshot(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadLook));
  CO_TRY_ASSIGN(const auto state, co_await StateOf(std::move(ctx), context, args));
  co_return LinesAnswer("", model::StateView(state), args.budget);
}

StateArguments ReadStateArguments(JsonReader& in) {
  StateArguments args = ReadLook(in);
  args.question.tab = TabId(in.OptionalString("tab").value_or(""));
  args.since = in.OptionalString("since").value_or("");
  return args;
}

Task<Result<ToolAnswer>> StateSince(CallContext ctx, ToolContext* context, StateArguments args) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  engine::Look look(*rooms.runtime, rooms.caller);
  CO_TRY_ASSIGN(auto delta, co_await look.Since(std::move(ctx), context->WorkflowOf(args.session),
                                                args.question.tab, args.since));
  context->guard().Clean(delta);
  const std::string head =
      delta.is_full() ? fmt::format("state {}", delta.new_state_id)
                      : fmt::format("state {} since {}", delta.new_state_id, delta.prev_state_id);
  co_return LinesAnswer(head, model::DeltaView(delta), args.budget);
}

Task<Result<ToolAnswer>> GetState(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadStateArguments));
  if (!args.since.empty()) co_return co_await StateSince(std::move(ctx), context, args);
  CO_TRY_ASSIGN(const auto state, co_await StateOf(std::move(ctx), context, args));
  co_return LinesAnswer(fmt::format("state {} tab {}", state.state_id, state.tab_id),
                        model::StateView(state), args.budget);
}

struct FindArguments {
  std::string text;
  std::int64_t limit = kFindLimit;
  std::string session;
};

std::string FoundLine(const json::object& match) {
  std::string line = fmt::format("{} {} {}", TextAt(match, "ref"), TextAt(match, "role"),
                                 model::Quoted(TextAt(match, "name"), 80));
  const std::string text = TextAt(match, "text");
  if (!text.empty() && text != TextAt(match, "name")) line += " " + model::Quoted(text, 160);
  return line;
}

Task<Result<ToolAnswer>> FindText(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, [](JsonReader& in) {
                  return FindArguments{
                      in.String("text", {1}),
                      in.OptionalInteger("limit", kFindLimits).value_or(kFindLimit),
                      ReadSession(in)};
                }));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  engine::Look look(*rooms.runtime, rooms.caller);
  CO_TRY_ASSIGN(auto found, co_await look.Find(std::move(ctx), context->WorkflowOf(args.session),
                                               TabId(), args.text, static_cast<int>(args.limit)));
  context->guard().Clean(found);
  std::vector<ViewLine> lines;
  if (const json::value* matches = found.if_contains("matches"); matches && matches->is_array()) {
    for (const json::value& match : matches->get_array()) {
      if (match.is_object()) lines.push_back({Weight::kControl, FoundLine(match.get_object())});
    }
  }
  const json::value* total = found.if_contains("total");
  co_return LinesAnswer(fmt::format("{} found", total ? json::serialize(*total) : "0"), lines);
}

struct WaitArguments {
  std::optional<std::string> text;
  std::optional<std::string> text_gone;
  TargetArgument target;
  std::optional<double> time;
  std::string session;
};

constexpr Bounds<double> kWaitSeconds = {0.001, 55};
// The longest wait, what its contract has beside it, and the telling.
constexpr auto kWaitTime = std::chrono::seconds(65);

WaitArguments ReadWait(JsonReader& in) {
  WaitArguments args{.text = in.OptionalString("text", {1}),
                     .text_gone = in.OptionalString("textGone", {1}),
                     .target = ReadTargetArgument(in),
                     .time = in.OptionalNumber("time", kWaitSeconds),
                     .session = ReadSession(in)};
  const bool has_any = args.text || args.text_gone || !args.target.empty() || args.time;
  if (!has_any && !in.failed()) in.Reject("text", "is required, or textGone, target or time");
  return args;
}

json::array WaitsFor(const WaitArguments& args) {
  json::array waits;
  if (args.text)
    waits.push_back(json::object{{"kind", "text"}, {"payload", {{"text", *args.text}}}});
  if (args.text_gone) {
    waits.push_back(
        json::object{{"kind", "text"}, {"payload", {{"text", *args.text_gone}, {"absent", true}}}});
  }
  if (!args.target.empty())
    waits.push_back(json::object{{"kind", "selector"}, {"payload", TargetObject(args.target)}});
  // Only a time: whatever changes first.
  if (waits.empty())
    waits.push_back(json::object{{"kind", "state_change"}, {"payload", json::object{}}});
  return waits;
}

Task<Result<ToolAnswer>> WaitFor(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadWait));
  const bool is_only_time = !args.text && !args.text_gone && args.target.empty();
  ActionWish wish{.session = args.session,
                  .spec = {{"action_type", "wait_only"}},
                  .waits = WaitsFor(args),
                  .attempts = 1};
  if (args.time) {
    const auto most = static_cast<std::int64_t>(*args.time * 1000);
    wish.timeouts = {{"wait_ms", most}, {"total_ms", most + 4'000}};
  }
  CO_TRY_ASSIGN(auto result, co_await context->Act(ctx, std::move(wish)));
  const bool is_over = result.failure && result.failure->code == ErrorCode::kWaitTimeout;
  if (is_only_time && is_over) result.failure.reset();
  co_return co_await context->Tell(std::move(ctx), args.session, std::move(result), {});
}

struct EvaluateArguments {
  std::string function;
  std::string session;
};

Task<Result<ToolAnswer>> Evaluate(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, [](JsonReader& in) {
                  return EvaluateArguments{in.String("function", {1}), ReadSession(in)};
                }));
  ActionWish wish{
      .session = args.session,
      .spec = {{"action_type", "custom_js_restricted"}, {"js_expression", args.function}}};
  CO_TRY_ASSIGN(auto result, co_await context->Act(ctx, std::move(wish)));
  AnswerStyle style{.quiet = QuietNews::kDrop};
  if (result.outcome && result.outcome->contains("extracted")) {
    json::value value = result.outcome->at("extracted");
    context->guard().Clean(value);
    style.head = kValueStart;
    style.head += CutToBudget(json::serialize(value), kValueTokens);
  }
  const bool has_value = style.head.size() > kValueStart.size();
  CO_TRY_ASSIGN(auto answer, co_await context->Tell(std::move(ctx), args.session, std::move(result),
                                                    std::move(style)));
  if (has_value && !answer.is_error) answer.page_at = kValueStart.size();
  co_return answer;
}

}  // namespace

std::vector<ToolRow> PageTools() {
  using enum agent::SideEffect;
  return {
      {{"browser_snapshot", "Read the page", "What is on the page, with refs.", kCoreGroup, kRead,
        InputSchema({{"scope", ChoiceSchema(kScopeNames)},
                     {"offset", WholeSchema()},
                     {"max_tokens", WholeSchema()}})},
       Snapshot,
       Looking(model::Capability::kRead)},
      {{"find", "Find", "Find words anywhere in the page.", kCoreGroup, kRead,
        InputSchema({{"text", TextSchema(), kRequired}, {"limit", WholeSchema()}})},
       FindText,
       Looking(model::Capability::kRead)},
      {{"browser_wait_for", "Wait", "Wait for a text, for it to go, or for an element.", kCoreGroup,
        kRead,
        InputSchema({{"text", TextSchema()},
                     {"textGone", TextSchema()},
                     {"target", TextSchema()},
                     {"time", NumberSchema("most seconds")}})},
       WaitFor,
       Acting(model::Capability::kRead, kWaitTime)},
      {{"browser_evaluate", "Run JavaScript", "Run a function apart from the page's own scripts.",
        kCoreGroup, kWrite,
        InputSchema({{"function", TextSchema("() => ..., at most 512 characters"), kRequired}})},
       Evaluate,
       Acting(model::Capability::kScript)},
      {{"get_state", "State", "The page with its state id, or what changed since one.",
        kContractGroup, kRead,
        InputSchema({{"since", TextSchema("state id")},
                     {"tab", TextSchema()},
                     {"scope", ChoiceSchema(kScopeNames)},
                     {"offset", WholeSchema()},
                     {"max_tokens", WholeSchema()}})},
       GetState,
       Looking(model::Capability::kRead)},
  };
}

}  // namespace falconer::api
