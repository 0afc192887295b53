#include "predict/learn/step_confidence.h"

#include <algorithm>

#include "predict/signature.h"

namespace falconer::predict {
namespace {

constexpr std::size_t kLookedAt = 20;

json::object ConfidenceOf(const WorkflowStep& step, std::uint64_t symbol,
                          const std::vector<Prediction>& predicted) {
  json::object out{{"id", step.id}, {"intent", step.intent}, {"healed", step.healed.size()}};
  const auto found = std::ranges::find(predicted, symbol, &Prediction::symbol);
  if (found == predicted.end()) {
    out["confidence"] = 0.0;
    out["probability"] = 0.0;
    out["source"] = "none";
    out["seen"] = 0.0;
    return out;
  }
  out["confidence"] = found->confidence;
  out["probability"] = found->probability;
  out["source"] = found->source;
  out["seen"] = found->seen;
  out["rank"] = found - predicted.begin() + 1;
  return out;
}

}  // namespace

json::object StepConfidence(const LearnedWorkflow& workflow, const LearntNext& learnt) {
  json::array steps;
  std::vector<std::uint64_t> history;
  for (const WorkflowStep& step : workflow.steps) {
    const std::uint64_t symbol = SymbolOf(step.signature);
    const std::uint64_t page = step.page.empty() ? 0 : SymbolOf(step.page);
    const auto predicted = learnt.Predict({.history = history, .page = page, .most = kLookedAt});
    steps.push_back(ConfidenceOf(step, symbol, predicted));
    history.push_back(symbol);
  }
  return {{"name", workflow.name}, {"version", workflow.version}, {"steps", std::move(steps)}};
}

}  // namespace falconer::predict
