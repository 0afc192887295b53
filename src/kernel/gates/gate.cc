#include "kernel/gates/gate.h"

#include <utility>

namespace falconer::kernel {

Verdict Verdict::Admit(std::string reason) {
  Verdict verdict;
  verdict.reason = std::move(reason);
  return verdict;
}

Verdict Verdict::Defer(std::string reason, std::chrono::milliseconds retry_after, Error error) {
  Verdict verdict{.kind = model::DecisionKind::kDefer, .reason = std::move(reason)};
  verdict.error = std::move(error);
  verdict.retry_after = retry_after;
  return verdict;
}

Verdict Verdict::Reject(std::string reason, Error error) {
  Verdict verdict{.kind = model::DecisionKind::kReject, .reason = std::move(reason)};
  verdict.error = std::move(error);
  return verdict;
}

Verdict Verdict::NoAuthority(model::DecisionKind kind, std::string reason, std::int64_t epoch,
                             Error error) {
  Verdict verdict{.kind = kind, .reason = std::move(reason)};
  verdict.error = std::move(error);
  verdict.epoch = epoch;
  return verdict;
}

}  // namespace falconer::kernel
