// Whether a field holds a secret: compared in its page, where the secret belongs, and told as yes
// or no.

#include <utility>

#include "browser/waits/load_waits.h"
#include "engine/observe.h"

namespace falconer::engine {
namespace {

browser::SecretUse UseIn(const ObserveScope& scope, const browser::BoundTarget& bound,
                         model::TextInput secret) {
  const browser::Document& document = *bound.place.document;
  return {.text = std::move(secret),
          .url = document.url,
          .origin = document.origin,
          .page_url = scope.tab->url()};
}

}  // namespace

Observation ObserveSecret(CallContext ctx, const ObserveScope* scope) {
  const auto& rule = std::get<model::ElementValueRule>(scope->rule.payload);
  if (!scope->reveal) co_return Fail(ErrorCode::kUnsupported, "there are no secrets here");
  CO_TRY(co_await browser::WaitForPendingNavigation(ctx, scope->tab));
  CO_TRY_ASSIGN(const auto bound, co_await scope->navigator.Bind(ctx, scope->tab, rule.target,
                                                                 browser::MissingFrame::kFail));
  CO_TRY_ASSIGN(const std::string value,
                co_await scope->reveal(ctx, UseIn(*scope, bound, *model::SecretOf(rule.check)),
                                       policy::SecretPurpose::kComparing));
  json::object arguments = bound.Arguments();
  arguments["value"] = std::string_view(value);
  CO_TRY_ASSIGN(const auto seen, co_await browser::CallScript(ctx, bound.place, "check_value",
                                                              std::move(arguments)));
  co_return json::object{
      {"matches", 1},
      {"values", json::array{json::object{{"agrees", IsTrueAt(seen, "value_matches")}}}}};
}

}  // namespace falconer::engine
