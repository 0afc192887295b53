#include "engine/rule_observer.h"

#include <algorithm>
#include <utility>

#include "engine/observe.h"

namespace falconer::engine {
namespace {

using model::RuleType;

struct ObserverRow {
  RuleType type;
  Observation (*observe)(CallContext, const ObserveScope*);
};

constexpr ObserverRow kObservers[] = {
    {RuleType::kElementPresent, ObserveElements}, {RuleType::kTextState, ObserveElements},
    {RuleType::kAttributeState, ObserveElements}, {RuleType::kPropertyState, ObserveElements},
    {RuleType::kComputedStyle, ObserveElements},  {RuleType::kCount, ObserveElements},
    {RuleType::kNetworkStatus, ObserveNetwork},   {RuleType::kJsonField, ObserveBodies},
    {RuleType::kFileExists, ObserveFiles},        {RuleType::kUrlPattern, ObserveUrl},
    {RuleType::kCookie, ObserveCookies},          {RuleType::kConsoleClean, ObserveConsole},
    {RuleType::kNoNewErrors, ObserveErrors},      {RuleType::kInvariant, ObserveInvariant},
    {RuleType::kVisualChange, ObserveVisual},     {RuleType::kStateHash, ObserveStateHash},
};

bool HasVisual(const std::vector<model::VerificationRule>& rules) {
  return std::ranges::find(rules, RuleType::kVisualChange, &model::VerificationRule::type) !=
         rules.end();
}

}  // namespace

Task<Result<void>> RuleObserver::Begin(CallContext ctx, std::shared_ptr<browser::Tab> tab,
                                       const std::vector<model::VerificationRule>* rules) {
  for (const auto& one : session_.tabs().all()) {
    facts_.marks[one->id()] = {.network = one->network().last_seq(),
                               .console = one->console().last_seq()};
  }
  kept_bodies_.clear();
  for (const model::VerificationRule& rule : *rules) {
    if (const auto* field = std::get_if<model::JsonFieldRule>(&rule.payload))
      kept_bodies_.push_back(tab->network().WantBodies({.url = field->filter.url, .types = {}}));
  }
  if (HasVisual(*rules)) {
    CO_TRY_ASSIGN(facts_.picture_before, co_await PictureOf(std::move(ctx), tab));
  }
  co_return Result<void>();
}

Task<json::value> RuleObserver::Observe(CallContext ctx, std::shared_ptr<browser::Tab> tab,
                                        const model::VerificationRule* rule) {
  const ObserveScope scope{.session = session_,
                           .navigator = navigator_,
                           .facts = facts_,
                           .tab = std::move(tab),
                           .rule = *rule,
                           .reveal = reveal_};
  auto seen = co_await kObservers[std::to_underlying(rule->type)].observe(std::move(ctx), &scope);
  // What nobody may know decides nothing either.
  if (seen) co_return session_.tabs().secrets().Without(*std::move(seen));
  co_return json::object{{"unobservable", std::string_view(seen.error().message())}};
}

}  // namespace falconer::engine
