#pragma once
// Which steps of two recordings of one workflow are the same step.

#include <optional>
#include <vector>

#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

// One place of the whole: a step of the left one, of the right one, or of both.
struct AlignedSteps {
  std::optional<std::size_t> left;
  std::optional<std::size_t> right;
  bool operator==(const AlignedSteps&) const = default;
};

// Both in their order; as many and as alike steps together as possible.
std::vector<AlignedSteps> AlignSteps(const std::vector<WorkflowStep>& left,
                                     const std::vector<WorkflowStep>& right);

// 0 for steps that are not the same; more, the more alike.
int LikenessOf(const WorkflowStep& left, const WorkflowStep& right);

}  // namespace falconer::predict
