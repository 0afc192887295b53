#pragma once
// OpenStep: a step that may come next in a run.

#include <cstdint>
#include <optional>
#include <string>

#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

struct OpenStep {
  WorkflowStep step;  // its parameters bound
  std::uint64_t symbol = 0;
  // Left out where its element is not there.
  bool is_optional = false;
  // Of the step in its workflow; nothing when it is of none.
  std::optional<std::size_t> index = std::nullopt;
};

// How sure it is that this comes next.
struct Guess {
  // Among those that were asked about; nothing for the end.
  std::optional<std::size_t> open = std::nullopt;
  double confidence = 0;
  std::string source;
};

}  // namespace falconer::predict
