#pragma once
// RunOrder: what a run by prediction is to do, how far it may go, and whom it works with.

#include <functional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "predict/act/act_numbers.h"
#include "predict/act/acting_page.h"
#include "predict/act/adviser.h"
#include "predict/act/learnt_next.h"

namespace falconer::predict {

enum class RunMode : std::uint8_t { kAct, kDryRun };
// Whether what comes next is prepared while nothing happens.
enum class Preparing : std::uint8_t { kNothing, kNext };

struct RunLimits {
  double threshold = 0.5;
  // Below this a model is asked, where there is one.
  double model_below = 0.7;
  int max_iterations = 50;
  // Does not pass while people decide.
  Duration timeout = std::chrono::minutes(5);
  // The same step on the same page in the same state so often in one run is a loop.
  int loop_limit = 3;
  // For what comes next to be there.
  Duration settle = std::chrono::seconds(2);
  Preparing preparing = Preparing::kNothing;
  double prepare_from = 0.8;
};

struct RunOrder {
  RunId run;
  WorkflowId session;
  std::string workflow;         // "" for none
  ParameterValues values = {};  // complete
  RunMode mode = RunMode::kAct;
  RunLimits limits = {};
  // What was done in the session before, oldest first.
  std::vector<std::uint64_t> history = {};
  // Told each step as it is over. May be empty.
  std::function<void(const json::object& step)> news = {};
};

// All must outlive the run.
struct RunRooms {
  ActingPage& page;
  const LearntNext& learnt;
  RunMemory& memory;
  ActNumbers& numbers;
  NextActionAdviser* adviser = nullptr;  // null for nobody
};

}  // namespace falconer::predict
