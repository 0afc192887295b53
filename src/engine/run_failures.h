#pragma once
// What a contract fails with when the page is not as it says.

#include "model/action/wait_outcome.h"
#include "model/contract/rule_report.h"

namespace falconer::engine {

// Names every hard rule that did not hold.
Error NotAsExpected(ErrorCode code, const model::VerificationReport& report);
Error NotComeTrue(const model::WaitOutcome& outcome);

}  // namespace falconer::engine
