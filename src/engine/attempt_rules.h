#pragma once
// What may be tried again. The question is never only whether it might help, but whether the first
// try can have done something already.

#include "model/contract/contract.h"
#include "model/contract/result.h"

namespace falconer::engine {

// In the metadata of a failure: the act may have reached the page, and doing it again would double
// its effect.
inline constexpr std::string_view kMayHaveActed = "may_have_acted";

// Whether doing it twice is the same as doing it once.
enum class Repeating { kHarmless, kDoublesTheEffect };
Repeating RepeatingOf(model::ActionType type);

// Whether an action that failed so can have reached the page.
enum class Reached { kCannotHave, kMayHave };
Reached ReachedOf(model::ActionType type, ErrorCode failure);

// Whether looking can tell that the act happened: a guess of ours cannot, only what the contract
// itself says must come true.
bool CanProve(const model::ActionContract& contract);

// Whether what is seen afterwards shows that it happened: nothing speaks against it, and at least
// one thing that must hold was seen to hold.
bool ShowsItHappened(const model::VerificationReport& report);

// How the caller is told why what came of an action is not on record: what may have had an effect
// is not for repeating, whatever the reason allows.
Error WhenUnrecorded(const Error& why, const model::ActionContract& contract,
                     const model::ActionExecutionResult& result);

// The family a contract's retry policy knows a finer cause by.
ErrorCode FamilyOf(ErrorCode cause);

// Whether the policy wants another attempt after this cause.
bool IsRetryable(const model::RetryPolicy& policy, ErrorCode cause);

}  // namespace falconer::engine
