#include "kernel/gates/lease_gate.h"

#include <fmt/format.h>
#include <utility>

namespace falconer::kernel {
namespace {

using model::DecisionKind;

struct Row {
  EpochReason reason;
  DecisionKind kind;
  ErrorCode code;
};

constexpr Row kRows[] = {
    {EpochReason::kStaleEpoch, DecisionKind::kStaleEpochReject, ErrorCode::kStaleEpoch},
    {EpochReason::kTakenOver, DecisionKind::kStaleEpochReject, ErrorCode::kStaleEpoch},
    {EpochReason::kDeauthorized, DecisionKind::kDeauthorizedDrain,
     ErrorCode::kSessionLeaseNotAcquired},
    {EpochReason::kInvalidInput, DecisionKind::kReject, ErrorCode::kInvalidContract},
};

Error WhyStale(ErrorCode code, const EpochVerdict& verdict, const SessionId& session) {
  const std::string_view reason = NameIn(kEpochReasons, verdict.reason);
  json::object details{{"reason", reason}, {"lease_epoch", verdict.epoch}};
  if (verdict.reason != EpochReason::kTakenOver)
    return {code, fmt::format("session {}: {}", session.value(), reason), std::move(details)};
  details["taken_over_by"] = verdict.facts.taken_by;
  return {code,
          fmt::format("{} has taken over session {}", verdict.facts.taken_by, session.value()),
          std::move(details)};
}

Verdict Refuse(const EpochVerdict& verdict, const SessionId& session) {
  const std::string reason(NameIn(kEpochReasons, verdict.reason));
  for (const Row& row : kRows) {
    if (row.reason != verdict.reason) continue;
    Error error = WhyStale(row.code, verdict, session);
    if (row.kind == DecisionKind::kReject) return Verdict::Reject(reason, std::move(error));
    return Verdict::NoAuthority(row.kind, reason, verdict.epoch, std::move(error));
  }
  std::unreachable();
}

}  // namespace

Verdict VerdictOf(const EpochVerdict& found, const SessionId& session) {
  Verdict verdict = found.is_authorized()
                        ? Verdict::Admit(std::string(NameIn(kEpochReasons, found.reason)))
                        : Refuse(found, session);
  verdict.facts = found.facts.ToJson();
  return verdict;
}

Task<Verdict> LeaseGate::Check(CallContext /*ctx*/, const GateInput* input) {
  const EpochVerdict found = guard_.CheckInput(input->session, input->epoch, input->taken_by);
  if (found.is_authorized() && input->admission != nullptr) input->admission->epoch = found.epoch;
  co_return VerdictOf(found, input->session);
}

}  // namespace falconer::kernel
