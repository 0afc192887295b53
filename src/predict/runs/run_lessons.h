#pragma once
// RunLessons: what a run learnt, kept until it is over: elements that were found by other
// selectors, and steps that a model chose. WithLessons puts them into the workflow's document.

#include <utility>
#include <vector>

#include "predict/act/learnt_next.h"

namespace falconer::predict {

class RunLessons final : public RunMemory {
 public:
  void OnHealed(const HealedStep& healed) override { healed_.push_back(healed); }
  void OnAdvised(const AdvisedStep& advised) override { advised_.push_back(advised); }

  bool empty() const { return healed_.empty() && advised_.empty(); }
  const std::vector<HealedStep>& healed() const { return healed_; }
  const std::vector<AdvisedStep>& advised() const { return advised_; }

 private:
  std::vector<HealedStep> healed_;
  std::vector<AdvisedStep> advised_;
};

// Healed selectors come first in their steps, with where they come from; what a model chose comes
// behind the step that it followed, and is left out where its element is not there. What followed a
// step that is not in the document is not kept.
LearnedWorkflow WithLessons(LearnedWorkflow workflow, const RunLessons& lessons);

}  // namespace falconer::predict
