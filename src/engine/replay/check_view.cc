// What a model was shown of the turn, where not all of it fitted.

#include "engine/replay/replay_scope.h"
#include "model/view/view_budget.h"

namespace falconer::engine {

void CheckView(ReplayScope& scope) {
  if (!scope.evidence.view) return;
  const json::value* recorded = At(scope.evidence.view->payload, "view");
  if (recorded == nullptr) return scope.out.Missing("view", "the record holds no view");
  const auto again = model::TrimmedView::Again(*recorded);
  if (!again) {
    return scope.out.Diverged("view", DivergenceClass::kOutcome,
                              std::string(again.error().message()));
  }
  Report(scope, "view", DivergenceClass::kOutcome, *recorded, again->ToJson());
}

}  // namespace falconer::engine
