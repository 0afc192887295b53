#pragma once
// WaitOutcome: how a wait ended, branch by branch.

#include <chrono>
#include <optional>
#include <vector>

#include "base/json/json.h"
#include "model/action/wait.h"

namespace falconer::model {

struct WaitOutcome {
  WaitKind kind = WaitKind::kAll;
  bool satisfied = false;
  std::chrono::milliseconds waited{0};
  json::value observed;        // what was seen last; null when nothing was
  std::optional<Error> error;  // why it ended unsatisfied
  std::vector<WaitOutcome> children;

  // {"kind","satisfied","waited_ms","observed"?,"error"?,"children"?}
  json::object ToJson() const;
};

}  // namespace falconer::model
