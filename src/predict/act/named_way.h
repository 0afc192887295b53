#pragma once
// NamedWay: through the steps of a workflow that somebody asked for by its name. Its order says
// what can come next; what was learnt of all that is done may know better which of those it is.

#include "predict/act/learnt_next.h"
#include "predict/act/step_way.h"

namespace falconer::predict {

class NamedWay final : public StepWay {
 public:
  // `bound` are the workflow's steps with their parameters bound. `learnt` must outlive this.
  NamedWay(LearnedWorkflow workflow, std::vector<WorkflowStep> bound, const LearntNext& learnt);

  Freedom freedom() const override { return Freedom::kNamed; }
  std::vector<OpenStep> Open(const RunPlace& place) const override;
  bool MayEnd() const override;
  std::vector<Guess> Guesses(const RunPlace& place, const std::vector<OpenStep>& open,
                             const std::vector<std::size_t>& present) const override;
  std::vector<std::string> Done(const OpenStep& step) override;
  std::vector<std::string> Still() const override;
  std::vector<WorkflowStep> Later(std::size_t most) const override;
  const WorkflowStep* Document(const OpenStep& step) const override;

 private:
  bool IsOptional(const WorkflowStep& step) const;
  // By how often each was done in the recordings.
  std::vector<Guess> ByOrder(const std::vector<OpenStep>& open,
                             const std::vector<std::size_t>& present) const;
  std::vector<Guess> ByLearnt(const RunPlace& place, const std::vector<OpenStep>& open,
                              const std::vector<std::size_t>& present, double* seen) const;
  int recordings() const;

  LearnedWorkflow workflow_;
  std::vector<WorkflowStep> bound_;
  const LearntNext& learnt_;
  std::size_t next_ = 0;
};

}  // namespace falconer::predict
