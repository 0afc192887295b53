#pragma once
// LearntView: what a tenant's model knows, as runs ask for it.

#include "predict/act/learnt_next.h"
#include "predict/learn/tenant_model.h"

namespace falconer::predict {

class LearntView final : public LearntNext {
 public:
  // The model must outlive this.
  explicit LearntView(const TenantModel& model) : model_(model) {}

  std::vector<Prediction> Predict(const PredictQuestion& question) const override;
  std::optional<WorkflowStep> StepOf(std::uint64_t symbol) const override;
  std::uint64_t PageOf(const std::string& url) const override;

 private:
  const TenantModel& model_;
};

}  // namespace falconer::predict
