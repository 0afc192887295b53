#pragma once
// LearntView: what is known of a tenant, as runs ask for it: as it is at that moment, so that what
// is forgotten meanwhile is not known any more.

#include "predict/act/learnt_next.h"
#include "predict/learn/learner.h"

namespace falconer::predict {

class LearntView final : public LearntNext {
 public:
  // The learner must outlive this.
  LearntView(const Learner& learner, TenantId tenant)
      : learner_(learner), tenant_(std::move(tenant)) {}

  std::vector<Prediction> Predict(const PredictQuestion& question) const override;
  std::optional<WorkflowStep> StepOf(std::uint64_t symbol) const override;
  std::uint64_t PageOf(const std::string& url) const override;

 private:
  const Learner& learner_;
  TenantId tenant_;
};

}  // namespace falconer::predict
