#include "predict/learn/learnt_view.h"

#include "predict/signature.h"

namespace falconer::predict {

std::vector<Prediction> LearntView::Predict(const PredictQuestion& question) const {
  const TenantModel* model = learner_.Now(tenant_);
  return model == nullptr ? std::vector<Prediction>() : model->predictor().Predict(question);
}

std::optional<WorkflowStep> LearntView::StepOf(std::uint64_t symbol) const {
  const TenantModel* model = learner_.Now(tenant_);
  const store::KnownAction* known = model == nullptr ? nullptr : model->Find(symbol);
  if (known == nullptr || known->action.empty()) return std::nullopt;
  auto workflow = LearnedWorkflow::FromJson(known->action);
  if (!workflow || workflow->steps.empty()) return std::nullopt;
  return std::move(workflow->steps.front());
}

std::uint64_t LearntView::PageOf(const std::string& url) const {
  const std::string pattern = PagePattern(url);
  return pattern.empty() ? 0 : SymbolOf(pattern);
}

}  // namespace falconer::predict
