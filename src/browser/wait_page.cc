// The leaves that the page decides.

#include <utility>

#include "browser/load_waits.h"
#include "browser/wait_node.h"

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
  if (node.condition.kind == WaitKind::kStateChange) condition["content_hash"] = std::string_view(node.hash_before);
  condition["kind"] = model::WaitKindName(node.condition.kind);
  return condition;
}

// Calls the wait off in the page when nobody waits for it any more.
class PageWait {
 public:
  PageWait(ScriptCall place, std::string id) : place_(std::move(place)), id_(std::move(id)) {}
  ~PageWait() {
    if (is_answered_ || !place_.document->is_current) return;
    PostScript(place_, "cancel_wait", {{"id", std::string_view(id_)}});
  }
  PageWait(const PageWait&) = delete;
  PageWait& operator=(const PageWait&) = delete;

  void Answered() { is_answered_ = true; }

 private:
  ScriptCall place_;
  std::string id_;
  bool is_answered_ = false;
};

Task<Result<json::value>> AskPage(CallContext ctx, WaitScope* scope, WaitNode* node) {
  if (node->document_before && scope->tab->frames().main()->document != node->document_before) {
    co_return json::object{{"document", "new"}};
  }
  auto place = ScriptCall::Into(scope->tab->frames().main());
  json::object condition = ConditionOf(*node);
  if (const auto target = TargetOf(*node)) {
    CO_TRY_ASSIGN(const auto bound, co_await scope->navigator.Bind(ctx, scope->tab, *target));
    condition["target"] = bound.argument;
    place = bound.place;
  }
  condition["doc"] = place.document->ordinal;
  const std::string id = "w" + std::to_string(++scope->last_page_wait);
  PageWait page_wait(place, id);
  const auto answer = co_await CallScript(ctx, place, "wait",
                                          {{"id", std::string_view(id)},
                                           {"condition", std::move(condition)},
                                           {"timeout_ms", PageTimeout(ctx)}});
  if (answer || answer.error().code() != ErrorCode::kTimeout) page_wait.Answered();
  if (!answer) co_return std::unexpected(answer.error());
  const json::value* observed = answer->if_contains("observed");
  co_return observed == nullptr ? json::value() : *observed;
}

// Repeats the caller's expression once per frame until it is true.
Task<Result<json::value>> AskGuest(CallContext ctx, WaitScope* scope, const model::FunctionWait* wait) {
  const std::string loop = "async (arg) => { const end = performance.now() + " + std::to_string(PageTimeout(ctx)) +
                           "; for (;;) { let v = (" + wait->expression +
                           "); if (typeof v === 'function') v = await v(arg); if (v) return {value: true};"
                           " if (performance.now() >= end) return {value: false};"
                           " await new Promise((next) => requestAnimationFrame(next)); } }";
  CO_TRY_ASSIGN(const auto answer, co_await EvaluateGuest(ctx, ScriptCall::Into(scope->tab->frames().main()), loop,
                                                          wait->arg.value_or(json::value())));
  if (answer.at("value") == true) co_return json::value(true);
  co_return Fail(ErrorCode::kWaitTimeout, "the expression did not become true");
}

Task<Result<std::string>> ContentHash(CallContext ctx, WaitScope* scope) {
  CO_TRY_ASSIGN(const auto answer, co_await CallScript(std::move(ctx), ScriptCall::Into(scope->tab->frames().main()),
                                                       "state", {}));
  co_return std::string(answer.at("content_hash").get_string());
}

Task<Result<json::value>> AskOnce(CallContext ctx, WaitScope* scope, WaitNode* node) {
  if (const auto* function = std::get_if<model::FunctionWait>(&node->condition.leaf)) {
    return AskGuest(std::move(ctx), scope, function);
  }
  return AskPage(std::move(ctx), scope, node);
}

bool PageWentAway(ErrorCode code) {
  return code == ErrorCode::kContextDestroyed || code == ErrorCode::kFrameDetached || code == ErrorCode::kTargetDetached;
}

}  // namespace

Task<Result<void>> TakeBaseline(CallContext ctx, WaitScope* scope, WaitNode* node) {
  node->document_before = scope->tab->frames().main()->document;
  CO_TRY_ASSIGN(node->hash_before, co_await ContentHash(std::move(ctx), scope));
  co_return Result<void>();
}

Task<Result<json::value>> WaitInPage(CallContext ctx, WaitScope* scope, WaitNode* node) {
  while (true) {
    CO_TRY(co_await WaitForPendingNavigation(ctx, scope->tab));
    const auto document = scope->tab->frames().main()->document;
    auto answer = co_await AskOnce(ctx, scope, node);
    if (answer || !PageWentAway(answer.error().code())) co_return answer;
    CO_TRY(ctx.StillWanted(model::WaitKindName(node->condition.kind)));
    // The answer may overtake the news of the new document.
    CO_TRY(co_await scope->tab->changes().Until(
        ctx, [&] { return scope->tab->frames().main()->document != document || !document->is_current || !scope->tab->Alive() || scope->tab->frames().main()->document->worlds.empty(); },
        "the next page"));
    CO_TRY(scope->tab->Alive());
  }
}

}  // namespace falconer::browser
