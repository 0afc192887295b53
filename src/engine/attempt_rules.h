#pragma once
// What may be tried again. The question is never only whether it might help, but whether the first
// try can have done something already.

#include "model/contract/contract.h"

namespace falconer::engine {

// Whether doing it twice is the same as doing it once.
enum class Repeating { kHarmless, kDoublesTheEffect };
Repeating RepeatingOf(model::ActionType type);

// Whether an action that failed so can have reached the page.
enum class Reached { kCannotHave, kMayHave };
Reached ReachedOf(model::ActionType type, ErrorCode failure);

// The family a contract's retry policy knows a finer cause by.
ErrorCode FamilyOf(ErrorCode cause);

// Whether the policy wants another attempt after this cause.
bool IsRetryable(const model::RetryPolicy& policy, ErrorCode cause);

}  // namespace falconer::engine
