#pragma once
// What comes next in a session, for who asks: every step that may, whether its element is on the
// page now, how sure it is, and whether that would be enough to do it. Nothing is done.

#include <string>
#include <vector>

#include "predict/act/acting_page.h"
#include "predict/act/learnt_next.h"
#include "predict/act/step_way.h"

namespace falconer::predict {

struct NextAsk {
  std::string session;
  std::vector<std::uint64_t> history;
  std::size_t most = 5;
  double threshold = 0.5;
};

// As PredictDesk::Next. Everything passed by pointer must outlive the call.
Task<Result<json::object>> AnswerNext(CallContext ctx, ActingPage* page, const LearntNext* learnt,
                                      const StepWay* way, NextAsk ask);

}  // namespace falconer::predict
