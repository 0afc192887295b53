#include "agent/loop/run_loop.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "agent/loop/run_prompt.h"
#include "agent/loop/within_time.h"
#include "agent/tools/tool_step.h"
#include "base/check.h"
#include "base/log.h"
#include "base/random.h"
#include "policy/injection/provenance.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kSnapshotTool = "browser_snapshot";

std::vector<ToolOffer> OffersOf(const std::vector<const ToolDescriptor*>& tools) {
  std::vector<ToolOffer> offers;
  for (const ToolDescriptor* tool : tools) offers.push_back(OfferOf(*tool));
  return offers;
}

ToolResult FailedCall(Error error) {
  std::string text = "error: " + Describe(error);
  return {.text = std::move(text), .failure = ToolFailure{.error = std::move(error)}, .tries = 0};
}

void SkipCall(RunCall& call, std::string_view why) {
  call.status = CallStatus::kSkipped;
  call.text = "not called: " + std::string(why);
}

// What a page says is between marks, whoever made the result.
void KeepMarked(ToolResult& result) {
  if (!result.page_at) return;
  const std::size_t at = std::min(*result.page_at, result.text.size());
  // Only there: further on a page may have written it.
  if (std::string_view(result.text).substr(at).starts_with("<untrusted ")) return;
  result.text = result.text.substr(0, at) +
                policy::MarkText(std::string_view(result.text).substr(at), {}, RandomHex(4));
}

std::int64_t LoopMs(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

}  // namespace

RunLoop::RunLoop(Executor executor, RunKit& kit, RunOrder order, RunControl& control, RunSink sink,
                 std::optional<RunPast> past, RunLoopLimits limits)
    : kit_(kit),
      order_(std::move(order)),
      control_(control),
      sink_(std::move(sink)),
      past_(std::move(past)),
      limits_(limits),
      tools_(AllowedTools(*kit.tools, order_.config)),
      memory_(SystemPrompt(kit.instructions, order_.config), order_.task, OffersOf(tools_),
              limits.memory),
      budget_(order_.config),
      no_ops_(order_.config.no_op_limit),
      records_(std::move(executor)) {
}

Task<RunResult> RunLoop::Go(CallContext ctx) {
  Begin(ctx);
  const Subscription asked = kit_.world->OnAsking([this](bool is_asking) { OnAsking(is_asking); });
  if (!stop_) co_await Write(OpenedRecord());
  while (!stop_) co_await Turn();
  co_return co_await Close();
}

void RunLoop::Begin(const CallContext& ctx) {
  cancel_.Follow(ctx.cancel());
  cancel_.Follow(control_.token());
  begun_ = ctx.clock().Now();
  stops_ = std::make_shared<StoppedTime>(ctx.clock());
  const Duration before = past_ ? past_->used : Duration::zero();
  ctx_ = ctx.WithStops(stops_)
             .WithCancel(cancel_.token())
             .WithTimeout(std::max(Duration::zero(), order_.config.max_wall_time - before));
  auto domains = DomainGuard::Of(order_.config);
  if (domains) {
    domains_ = *std::move(domains);
  } else {
    End(StopReason::kInternalError, domains.error());
  }
  if (past_) TakeUp(*past_);
}

void RunLoop::TakeUp(const RunPast& past) {
  for (const RunStep& step : past.steps) {
    budget_.Pay(step);
    // What was told without a model having been asked is no step.
    if (!step.provider.empty()) budget_.Take(step);
    no_ops_.Note(step);
    memory_.Add(step);
  }
  // It may have been broken off between its last step and its end. A step that was cut off counts
  // as a failure, but does not end what somebody takes up again.
  const auto over = budget_.CheckStep();
  if (over && *over != StopReason::kMaxFailures) End(*over);
  memory_.Remark(
      "The run was interrupted and goes on now, perhaps in a new browser session: look "
      "at the page before you act.");
}

Task<void> RunLoop::Turn() {
  if (!co_await Ready()) co_return;
  Enter(RunState::kPlan);
  const TimePoint asked = ctx_->clock().Now();
  const std::int64_t epoch = kit_.world->Epoch();
  auto answer = co_await Plan();
  NoteDrivers(epoch);
  // A record may have been lost meanwhile.
  if (!answer || stop_) co_return;
  RunStep step = StepOf(*answer, ctx_->clock().Now() - asked);
  budget_.Pay(step);
  Emit("usage", {{"step", step.step},
                 {"provider", step.provider},
                 {"usage", ToJson(step.usage)},
                 {"tokens", budget_.tokens()},
                 {"cost_micros", budget_.cost_micros()}});
  if (auto* said = std::get_if<Respond>(&answer->action)) {
    co_await Conclude(std::move(step), std::move(*said), answer->end);
    co_return;
  }
  co_await CarryOut(std::move(step), std::move(std::get<ToolCalls>(answer->action).calls));
}

Task<bool> RunLoop::Ready() {
  while (!stop_ && (control_.is_paused() || kit_.world->Driver())) {
    if (const auto person = kit_.world->Driver()) {
      co_await AwaitHandBack(*person);
      continue;
    }
    Emit("paused");
    const StandingStill meanwhile(stops_);
    if (const auto going = co_await control_.UntilGoing(*ctx_); !going) EndFor(going.error());
    Emit("resumed");
  }
  if (!stop_ && was_driven_) co_await LookAfresh();
  if (stop_) co_return false;
  const auto wanted = ctx_->StillWanted("the next step");
  if (!wanted) EndFor(wanted.error());
  co_return wanted.has_value();
}

Task<void> RunLoop::AwaitHandBack(std::string person) {
  Emit("handed_over", {{"person", person}});
  {
    const StandingStill meanwhile(stops_);
    const CallContext patient = CallContext(ctx_->executor(), ctx_->clock())
                                    .WithCancel(cancel_.token())
                                    .WithTimeout(limits_.handover);
    const auto back = co_await kit_.world->UntilHandedBack(patient);
    if (!back && !cancel_.token().is_cancelled()) End(StopReason::kHandedOverTimeout, back.error());
    if (!back) {
      EndFor(back.error());
      co_return;
    }
  }
  Emit("handed_back", {{"person", person}});
  co_await LookAfresh();
}

// The page is another one than the model knows: it is told without having to ask.
Task<void> RunLoop::LookAfresh() {
  was_driven_ = false;
  RunStep step{.step = budget_.steps(),
               .note =
                   "A person drove the session meanwhile and has handed it back. Go by the "
                   "page as it is now.",
               .at = Used()};
  const ToolDescriptor* snapshot = Find(kSnapshotTool);
  if (snapshot == nullptr) {
    memory_.Remark(step.note);
    co_return;
  }
  step.calls.push_back(TraceOf({.id = "look_" + RandomHex(4), .name = std::string(kSnapshotTool)},
                               snapshot->effect));
  co_await CallOne(&step.calls.back());
  WriteAside(StepRecord(kRunStep, step));
  memory_.Add(std::move(step));
}

Task<std::optional<ProviderAnswer>> RunLoop::Plan() {
  ChatRequest request = memory_.Request();
  if (HasImages(request) && !kit_.provider->Fits(request)) {
    memory_.ForgetImages();
    request = memory_.Request();
  }
  const std::size_t tokens = EstimateRequestTokens(request);
  if (const auto over = budget_.CheckAsk(tokens)) {
    End(*over);
    co_return std::nullopt;
  }
  request.max_tokens = budget_.AnswerTokens(tokens, request.max_tokens);
  auto asked = co_await WithinTime(
      *ctx_, kit_.provider->Ask(*ctx_, std::move(request),
                                [this](const ChatDelta& delta) { OnDelta(delta); }));
  memory_.ForgetImages();
  if (asked && *asked) co_return **std::move(asked);
  EndFor(asked ? asked->error() : Error(ErrorCode::kTimeout, "the model did not end in time"));
  co_return std::nullopt;
}

Task<void> RunLoop::Conclude(RunStep step, Respond said, AnswerEnd end) {
  const bool is_whole = end != AnswerEnd::kLength && !said.text.empty();
  step.rationale = said.text;
  if (!is_whole) {
    step.note = end == AnswerEnd::kLength ? "Your answer was cut off: answer in fewer words."
                                          : "Your answer was empty: call a tool, or answer.";
    co_await Observe(std::move(step));
    co_return;
  }
  Enter(RunState::kRespond);
  response_ = std::move(said.text);
  WriteAside(StepRecord(kRunStep, step));
  memory_.Add(std::move(step));
  End(StopReason::kCompleted);
}

Task<void> RunLoop::CarryOut(RunStep step, std::vector<ToolCall> calls) {
  for (const ToolCall& call : calls) {
    const ToolDescriptor* tool = Find(call.name);
    step.calls.push_back(TraceOf(call, tool == nullptr ? SideEffect::kRead : tool->effect));
  }
  const auto over = budget_.CheckPaid();
  const bool is_stale = was_driven_ || kit_.world->Driver();
  Enter(RunState::kExecuteTool);
  for (RunCall& call : step.calls) {
    if (over) SkipCall(call, "the budget of the run is used up");
    if (is_stale) SkipCall(call, "a person has driven the session since you saw it");
    if (!over && !is_stale) Judge(call);
  }
  const bool acts = std::ranges::any_of(step.calls, [](const RunCall& call) {
    return call.is_write() && call.status == CallStatus::kUnknown;
  });
  // Nothing that can have an effect is begun before it is on record.
  if (acts && !co_await Write(StepRecord(kRunPlanned, step))) co_return;
  const std::int64_t epoch = kit_.world->Epoch();
  if (!over && !is_stale) co_await CallAll(&step);
  NoteDrivers(epoch);
  if (over) End(*over);
  co_await Observe(std::move(step));
}

void RunLoop::Judge(RunCall& call) const {
  if (Find(call.tool) == nullptr) {
    std::vector<std::string_view> names;
    for (const ToolDescriptor* tool : tools_) names.push_back(tool->name);
    call.Take(
        FailedCall({ErrorCode::kValidationError, fmt::format("this run has no tool {}; it has {}",
                                                             call.tool, fmt::join(names, ", "))}));
    return;
  }
  if (const auto allowed = domains_->Check(call.arguments); !allowed)
    call.Take(FailedCall(allowed.error()));
}

// What reads is called together; what writes alone, and nothing after a write that failed.
Task<void> RunLoop::CallAll(RunStep* step) {
  std::vector<RunCall>& calls = step->calls;
  std::size_t at = 0;
  while (at < calls.size()) {
    std::size_t end = at;
    while (end < calls.size() && !calls[end].is_write()) ++end;
    if (end > at) co_await CallTogether(step, at, end);
    at = end;
    if (at == calls.size()) break;
    if (calls[at].status == CallStatus::kUnknown) co_await CallOne(&calls[at]);
    const bool is_ok = calls[at].status == CallStatus::kOk;
    for (++at; !is_ok && at < calls.size(); ++at)
      SkipCall(calls[at], "a call before it did not succeed");
  }
}

Task<void> RunLoop::CallTogether(RunStep* step, std::size_t from, std::size_t to) {
  TaskScope together(ctx_->executor());
  for (std::size_t i = from; i < to; ++i) {
    RunCall& call = step->calls[i];
    if (call.status == CallStatus::kUnknown) together.Spawn("agent.call", CallOne(&call));
  }
  co_await together.Join();
}

Task<void> RunLoop::CallOne(RunCall* call) {
  Emit("tool_started", {{"id", call->id}, {"tool", call->tool}, {"arguments", call->arguments}});
  const ToolDescriptor* tool = Find(call->tool);
  ToolCall made{.id = call->id,
                .name = call->tool,
                .arguments = AsTheRunSays(*tool, call->arguments, order_.config)};
  call->args_hash = ArgsHash(made.arguments);
  const CallContext ctx = ToolContextOf();
  auto ended = co_await WithinTime(ctx, kit_.tools->Call(ctx, std::move(made)));
  ToolResult result =
      ended ? *std::move(ended)
            : FailedCall({ErrorCode::kToolTimeout, call->tool + " did not end and was broken off"});
  KeepMarked(result);
  call->Take(result);
  std::ranges::move(result.images, std::back_inserter(images_));
  Emit("tool_ended", {{"id", call->id},
                      {"tool", call->tool},
                      {"status", NameIn(kCallStatuses, call->status)},
                      {"error_code", call->error_code},
                      {"error", call->error},
                      {"artifacts", json::array(call->artifacts.begin(), call->artifacts.end())},
                      {"ms", LoopMs(call->took)}});
}

Task<void> RunLoop::Observe(RunStep step) {
  Enter(RunState::kObserve);
  step.at = Used();
  // What a person cut off is nobody's failure.
  const bool is_taken = was_driven_ || kit_.world->Driver();
  if (!is_taken) budget_.Take(step);
  const bool is_idle = !is_taken && no_ops_.Note(step);
  json::object record = StepRecord(kRunStep, step);
  memory_.Show(std::exchange(images_, {}));
  memory_.Add(std::move(step));
  // Nobody waits for it while the model thinks: what the next write waits for comes behind it in
  // the ledger, and until then a crash leaves a plan whose outcome is not known.
  WriteAside(std::move(record));
  if (stop_ || is_taken) co_return;
  if (const auto wanted = ctx_->StillWanted("the next step"); !wanted) {
    EndFor(wanted.error());
  } else if (const auto over = budget_.CheckStep()) {
    End(*over);
  } else if (is_idle) {
    End(StopReason::kNoOpLoop);
  }
}

}  // namespace falconer::agent
