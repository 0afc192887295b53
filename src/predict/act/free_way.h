#pragma once
// FreeWay: by prediction alone: whatever followed most often on what was done here.

#include "predict/act/learnt_next.h"
#include "predict/act/step_way.h"

namespace falconer::predict {

class FreeWay final : public StepWay {
 public:
  // `learnt` must outlive this.
  explicit FreeWay(const LearntNext& learnt) : learnt_(learnt) {}

  Freedom freedom() const override { return Freedom::kFree; }
  std::vector<OpenStep> Open(const RunPlace& place) const override;
  bool MayEnd() const override { return true; }
  std::vector<Guess> Guesses(const RunPlace& place, const std::vector<OpenStep>& open,
                             const std::vector<std::size_t>& present) const override;
  std::vector<std::string> Done(const OpenStep& /*step*/) override { return {}; }
  std::vector<std::string> Still() const override { return {}; }
  std::vector<WorkflowStep> Later(std::size_t /*most*/) const override { return {}; }
  const WorkflowStep* Document(const OpenStep& /*step*/) const override { return nullptr; }

 private:
  const LearntNext& learnt_;
};

}  // namespace falconer::predict
