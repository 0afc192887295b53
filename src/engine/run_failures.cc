#include "engine/run_failures.h"

#include <string>
#include <utility>

namespace falconer::engine {
namespace {

json::array FailedRules(const model::VerificationReport& report) {
  json::array failed;
  for (const model::RuleOutcome& outcome : report.outcomes) {
    if (outcome.is_hard_failure()) failed.push_back(outcome.ToJson());
  }
  return failed;
}

}  // namespace

Error NotAsExpected(ErrorCode code, const model::VerificationReport& report) {
  std::string message;
  for (const model::RuleOutcome& outcome : report.outcomes) {
    if (!outcome.is_hard_failure()) continue;
    if (!message.empty()) message += "; ";
    message += std::string(TraitsOf(outcome.type).name) + ": " + outcome.detail;
  }
  return {code, std::move(message), {{"rules", FailedRules(report)}}};
}

Error NotComeTrue(const model::WaitOutcome& outcome) {
  std::string why = outcome.error ? std::string(outcome.error->message()) : "did not come true";
  return {ErrorCode::kWaitTimeout,
          std::string(model::WaitKindName(outcome.kind)) + ": " + std::move(why)};
}

}  // namespace falconer::engine
