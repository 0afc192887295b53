#pragma once
// Selectors that found the same element in two recordings, as selectors that find it in both.

#include <string>
#include <vector>

#include "predict/workflows/workflow_differences.h"

namespace falconer::predict {

// Those of the left one that are the same in the right one but for what is known to differ, or for
// numbers: those become patterns. In their order.
std::vector<std::string> MergeSelectors(const std::vector<std::string>& left,
                                        const std::vector<std::string>& right,
                                        const WorkflowDifferences& differences);

// Whether both have one by a name that only authors of pages give: the element is the same one
// then, whatever it says.
bool ShareAuthoredSelector(const std::vector<std::string>& left,
                           const std::vector<std::string>& right);

}  // namespace falconer::predict
