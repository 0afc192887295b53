// The leaves that the page decides.

#include <functional>
#include <utility>

#include "browser/waits/load_waits.h"
#include "browser/waits/wait_node.h"

namespace falconer::browser {
namespace {

using model::WaitKind;

// What the leaf is about: the element to look for, or none for the whole page.
std::optional<model::Target> TargetOf(const WaitNode& node) {
  const auto& leaf = node.condition.leaf;
  if (const auto* wait = std::get_if<model::SelectorWait>(&leaf)) return wait->target;
  if (const auto* wait = std::get_if<model::ElementStateWait>(&leaf)) return wait->target;
  if (const auto* wait = std::get_if<model::CountWait>(&leaf)) return wait->target;
  if (const auto* wait = std::get_if<model::TextWait>(&leaf)) return wait->scope;
  return std::nullopt;
}

json::object TextCondition(const model::TextWait& wait) {
  return {{"text", std::string_view(wait.text.text)},
          {"mode", NameIn(model::kTextModes, wait.text.mode)},
          {"flags", std::string_view(wait.text.flags)},
          {"absent", wait.absent}};
}

json::object ElementCondition(const model::ElementStateWait& wait) {
  json::object condition;
  if (!wait.attribute.empty()) condition["attribute"] = std::string_view(wait.attribute);
  if (!wait.property.empty()) condition["property"] = std::string_view(wait.property);
  if (wait.equals) condition["equals"] = *wait.equals;
  if (wait.matches) condition["matches"] = std::string_view(*wait.matches);
  return condition;
}

json::object ConditionOf(const WaitNode& node) {
  const auto& leaf = node.condition.leaf;
  json::object condition;
  if (const auto* wait = std::get_if<model::SelectorWait>(&leaf)) {
    condition = {{"state", NameIn(model::kElementConditions, wait->state)},
                 {"strict", wait->target.strictness == model::Strictness::kStrict}};
  } else if (const auto* text = std::get_if<model::TextWait>(&leaf)) {
    condition = TextCondition(*text);
  } else if (const auto* element = std::get_if<model::ElementStateWait>(&leaf)) {
    condition = ElementCondition(*element);
  } else if (const auto* count = std::get_if<model::CountWait>(&leaf)) {
    condition = {{"op", NameIn(model::kCountOps, count->op)}, {"n", count->n}};
  } else if (const auto* quiet = std::get_if<model::QuietWait>(&leaf)) {
    condition = {{"quiet_ms", quiet->quiet.count()}};
  }
  if (node.condition.kind == WaitKind::kStateChange) condition = node.before.ChangeCondition();
  condition["kind"] = model::WaitKindName(node.condition.kind);
  return condition;
}

// Does the leaf hold when the frame it looks into is not there?
bool HoldsWithoutFrame(const WaitNode& node) {
  const auto& leaf = node.condition.leaf;
  if (const auto* wait = std::get_if<model::SelectorWait>(&leaf)) {
    return wait->state == model::ElementCondition::kHidden ||
           wait->state == model::ElementCondition::kDetached;
  }
  if (const auto* wait = std::get_if<model::TextWait>(&leaf)) return wait->absent;
  const auto* count = std::get_if<model::CountWait>(&leaf);
  return count != nullptr && (count->op == model::CountOp::kAtMost ||
                              (count->op == model::CountOp::kEqual && count->n == 0));
}

bool IsFrameMissing(ErrorCode code) {
  return code == ErrorCode::kElementNotFound || code == ErrorCode::kFrameDetached;
}

// Calls a wait off in the page when nobody waits for it any more.
class CallOff {
 public:
  explicit CallOff(std::function<void()> post) : post_(std::move(post)) {}
  ~CallOff() {
    if (post_) post_();
  }
  CallOff(const CallOff&) = delete;
  CallOff& operator=(const CallOff&) = delete;

  // A wait that the page has answered is over.
  template <typename T>
  void OnAnswer(const Result<T>& answer) {
    const bool is_open = !answer && (answer.error().code() == ErrorCode::kTimeout ||
                                     answer.error().code() == ErrorCode::kCancelled);
    if (!is_open) post_ = nullptr;
  }

 private:
  std::function<void()> post_;
};

// `place` is where the question went.
Task<Result<json::value>> AskPage(CallContext ctx, WaitScope* scope, WaitNode* node,
                                  ScriptCall* place) {
  if (node->before.document && place->document != node->before.document) {
    co_return json::object{{"document", "new"}};
  }
  json::object condition = ConditionOf(*node);
  if (const auto target = TargetOf(*node)) {
    const bool may_be_gone = HoldsWithoutFrame(*node);
    const auto bound = co_await scope->navigator.Bind(
        ctx, scope->tab, *target, may_be_gone ? MissingFrame::kFail : MissingFrame::kWaitFor);
    if (!bound && may_be_gone && IsFrameMissing(bound.error().code()))
      co_return json::object{{"count", 0}};
    if (!bound) co_return std::unexpected(bound.error());
    condition["target"] = bound->argument;
    *place = bound->place;
  }
  condition["doc"] = place->document->ordinal;
  const std::string id = NewCallId();
  CallOff call_off([&] { PostScript(*place, "cancel_wait", {{"id", std::string_view(id)}}); });
  const auto answer =
      co_await CallScript(ctx, *place, "wait",
                          {{"id", std::string_view(id)},
                           {"condition", std::move(condition)},
                           {"timeout_ms", node->looks_once ? 0 : PageTimeout(ctx)}});
  call_off.OnAnswer(answer);
  if (!answer) co_return std::unexpected(answer.error());
  if (const json::value* state = answer->if_contains("state")) {
    CO_TRY_ASSIGN(auto projection, model::FrameProjection::FromJson(*state));
    node->reading = PageReading{place->document, std::move(projection)};
  }
  const json::value* observed = answer->if_contains("observed");
  co_return observed == nullptr ? json::value() : *observed;
}

// Repeats the caller's expression once per frame until it is true, or its number is taken off the
// list.
std::string GuestLoop(const std::string& expression, const std::string& id, std::int64_t timeout) {
  return "async (arg) => { const waits = globalThis.__falconer_waits ||= new Set(); waits.add(" +
         id + "); const end = performance.now() + " + std::to_string(timeout) +
         "; try { while (waits.has(" + id + ")) { let v = (" + expression +
         "); if (typeof v === 'function') v = await v(arg); if (v) return {value: true};"
         " if (performance.now() >= end) break;"
         " await new Promise((next) => requestAnimationFrame(next)); } } finally { waits.delete(" +
         id + ") } return {value: false} }";
}

Task<Result<json::value>> AskGuest(CallContext ctx, const WaitNode* node, ScriptCall place) {
  const auto& wait = std::get<model::FunctionWait>(node->condition.leaf);
  CO_TRY(place.document->CheckNoSecret());
  const std::string id = std::to_string(NewCallNumber());
  CallOff call_off([&] { PostGuest(place, "globalThis.__falconer_waits?.delete(" + id + ")"); });
  const auto answer = co_await EvaluateGuest(
      ctx, place, GuestLoop(wait.expression, id, node->looks_once ? 0 : PageTimeout(ctx)),
      wait.arg.value_or(json::value()));
  call_off.OnAnswer(answer);
  if (!answer) co_return std::unexpected(answer.error());
  if (answer->at("value") == true) co_return json::value(true);
  co_return Fail(ErrorCode::kWaitTimeout, "the expression did not become true");
}

Task<Result<PageMark>> MarkPage(CallContext ctx, ScriptCall place) {
  CO_TRY_ASSIGN(const auto answer, co_await CallScript(std::move(ctx), place, "state", {}));
  co_return PageMark{.document = place.document,
                     .arguments = {},
                     .content_hash = std::string(answer.at("content_hash").get_string())};
}

// What others noticed of the page counts for the document it was seen in.
std::optional<json::value> TakeNoticed(WaitScope& scope, WaitNode& node, const ScriptCall& place) {
  if (node.condition.kind != WaitKind::kStateChange || !scope.noticed) return std::nullopt;
  if (scope.noticed->document != place.document || node.before.document != place.document)
    return std::nullopt;
  node.reading = std::exchange(scope.noticed, std::nullopt);
  return json::object{{"content_hash", std::string_view(node.reading->answer.content_hash)}};
}

Task<Result<json::value>> AskOnce(CallContext ctx, WaitScope* scope, WaitNode* node,
                                  ScriptCall* place) {
  if (node->condition.kind == WaitKind::kFunction) return AskGuest(std::move(ctx), node, *place);
  return AskPage(std::move(ctx), scope, node, place);
}

// The page's own time goes on while the call's stands still.
bool EndedTooEarly(const Error& error, const CallContext& ctx, const WaitNode& node) {
  const bool is_over =
      error.code() == ErrorCode::kWaitTimeout || error.code() == ErrorCode::kTimeout;
  return is_over && !node.looks_once && ctx.has_stood_still() && ctx.StillWanted("the condition");
}

}  // namespace

Task<Result<void>> TakeBaseline(CallContext ctx, WaitScope* scope, WaitNode* node) {
  const auto place = ScriptCall::Into(scope->tab->frames().main());
  if (scope->seen.document && scope->seen.document == place.document) {
    node->before = scope->seen;
    co_return Result<void>();
  }
  CO_TRY_ASSIGN(node->before, co_await MarkPage(std::move(ctx), place));
  co_return Result<void>();
}

Task<Result<json::value>> WaitInPage(CallContext ctx, WaitScope* scope, WaitNode* node) {
  while (true) {
    CO_TRY(co_await WaitForPendingNavigation(ctx, scope->tab));
    CO_TRY(scope->tab->dialogs().NoneOpen());
    auto place = ScriptCall::Into(scope->tab->frames().main());
    if (auto noticed = TakeNoticed(*scope, *node, place)) co_return *std::move(noticed);
    auto answer = co_await AskOnce(ctx, scope, node, &place);
    if (!answer && EndedTooEarly(answer.error(), ctx, *node)) {
      CO_TRY(co_await ctx.UntilTimeGoes());
      continue;
    }
    if (answer || !IsDocumentGone(answer.error().code())) co_return answer;
    CO_TRY(ctx.StillWanted(model::WaitKindName(node->condition.kind)));
    CO_TRY(co_await WaitUntilReplaced(ctx, scope->tab, place));
  }
}

}  // namespace falconer::browser
