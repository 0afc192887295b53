#pragma once
// PolicyQuestion: what the words of `policy test` and `policy explain` ask of a policy.

#include <optional>

#include "app/command.h"
#include "base/async/clock.h"
#include "policy/rules/policy_question.h"

namespace falconer::app {

struct PolicyQuestion {
  policy::PolicyQuestion asked;
  std::optional<policy::Effect> expected;
};

// Asked about `now`, unless the words name a time. kInvalidArgument, naming the option.
Result<PolicyQuestion> PolicyQuestionOf(const Arguments& arguments, WallTime now);

}  // namespace falconer::app
