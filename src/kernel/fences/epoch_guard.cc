#include "kernel/fences/epoch_guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace falconer::kernel {
namespace {

std::chrono::milliseconds LeftOf(const LeaseStatus& lease, TimePoint now) {
  // Rounded up, so that what still holds never reads as over.
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(lease.expires - now);
  return std::max(left, std::chrono::milliseconds(0));
}

LeaseFacts ReadFacts(JsonReader& in) {
  LeaseFacts facts{.asked = in.OptionalInteger("asked"), .is_known = in.Bool("known")};
  facts.taken_by = in.OptionalString("taken_by").value_or("");
  if (!facts.is_known) return facts;
  facts.epoch = in.Integer("epoch");
  facts.is_granted = in.Bool("granted");
  facts.left = in.Milliseconds("left_ms");
  return facts;
}

}  // namespace

json::object LeaseFacts::ToJson() const {
  json::object out{{"known", is_known}};
  if (asked) out["asked"] = *asked;
  if (!taken_by.empty()) out["taken_by"] = taken_by;
  if (!is_known) return out;
  out["epoch"] = epoch;
  out["granted"] = is_granted;
  out["left_ms"] = left.count();
  return out;
}

Result<LeaseFacts> LeaseFacts::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadFacts);
}

EpochReason JudgeEpoch(const LeaseFacts& facts) {
  if (facts.asked && *facts.asked < 0) return EpochReason::kInvalidInput;
  if (facts.asked && facts.is_known && *facts.asked > facts.epoch)
    return EpochReason::kInvalidInput;
  // Known to be old even when the newer lease is gone, too.
  if (facts.asked && facts.is_known && *facts.asked < facts.epoch)
    return facts.taken_by.empty() ? EpochReason::kStaleEpoch : EpochReason::kTakenOver;
  const bool holds = facts.is_known && facts.is_granted && facts.left.count() > 0;
  return holds ? EpochReason::kLeaseAuthorized : EpochReason::kDeauthorized;
}

EpochVerdict EpochVerdict::Of(const LeaseFacts& facts) {
  return {.reason = JudgeEpoch(facts), .epoch = facts.epoch, .facts = facts};
}

EpochVerdict EpochGuard::CheckInput(const SessionId& session, std::optional<std::int64_t> epoch,
                                    std::string taken_by) const {
  LeaseFacts facts{.asked = epoch};
  facts.taken_by = std::move(taken_by);
  if (const std::optional<LeaseStatus> lease = leases_.LeaseOf(session)) {
    facts.is_known = true;
    facts.epoch = lease->epoch;
    facts.is_granted = lease->is_granted;
    facts.left = LeftOf(*lease, clock_.Now());
  }
  return EpochVerdict::Of(facts);
}

Result<void> EpochGuard::CheckOutput(const SessionId& session, std::int64_t epoch) const {
  const EpochVerdict verdict = CheckInput(session, epoch);
  if (verdict.is_authorized()) return {};
  return std::unexpected(
      Error(ErrorCode::kStaleEpoch,
            fmt::format("output of epoch {} may not leave session {}: {}", epoch, session.value(),
                        NameIn(kEpochReasons, verdict.reason)),
            {{"reason", NameIn(kEpochReasons, verdict.reason)}, {"lease_epoch", verdict.epoch}}));
}

}  // namespace falconer::kernel
