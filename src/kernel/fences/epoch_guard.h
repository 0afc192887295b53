#pragma once
// EpochGuard: nothing of an old owner comes in, and nothing of an old owner goes out. An epoch
// comes from a lease only: a higher number in somebody's mouth is not authority but an error.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/async/clock.h"
#include "base/json/json_reader.h"
#include "kernel/fences/lease_view.h"

namespace falconer::kernel {

enum class EpochReason : std::uint8_t {
  kLeaseAuthorized,
  kStaleEpoch,    // an older epoch than the lease's
  kTakenOver,     // older, because a person drives the session now
  kDeauthorized,  // no lease, or it was revoked, or it expired
  kInvalidInput,  // a negative epoch, or one no lease ever had
};

inline constexpr EnumName<EpochReason> kEpochReasons[] = {
    {EpochReason::kLeaseAuthorized, "lease_authorized"},
    {EpochReason::kStaleEpoch, "stale_epoch"},
    {EpochReason::kTakenOver, "taken_over"},
    {EpochReason::kDeauthorized, "deauthorized"},
    {EpochReason::kInvalidInput, "invalid_input"},
};

// What is known of a lease when somebody asks.
struct LeaseFacts {
  std::optional<std::int64_t> asked;  // the epoch that was claimed
  bool is_known = false;              // else there is no lease, and the rest says nothing
  std::int64_t epoch = 0;
  bool is_granted = false;
  std::chrono::milliseconds left{0};  // until it expires, rounded up: 0 when it has
  std::string taken_by;               // the person who drives instead; "" for nobody

  json::object ToJson() const;
  // kInvalidArgument for what ToJson never writes.
  static Result<LeaseFacts> FromJson(const json::object& object);
  bool operator==(const LeaseFacts&) const = default;
};

// What the facts say.
EpochReason JudgeEpoch(const LeaseFacts& facts);

struct EpochVerdict {
  EpochReason reason = EpochReason::kDeauthorized;
  std::int64_t epoch = 0;  // the lease's; 0 when there is none
  LeaseFacts facts;
  bool is_authorized() const { return reason == EpochReason::kLeaseAuthorized; }

  static EpochVerdict Of(const LeaseFacts& facts);
};

class EpochGuard {
 public:
  // Both must outlive this.
  EpochGuard(const LeaseView& leases, const Clock& clock) : leases_(leases), clock_(clock) {}

  // On the way in. What says no epoch gets the lease's; the answer holds it.
  // `taken_by` names the person who drives the session instead of whoever asks; "" for nobody.
  EpochVerdict CheckInput(const SessionId& session, std::optional<std::int64_t> epoch,
                          std::string taken_by = {}) const;
  // On the way out; what leaves must say its epoch. Fails with kStaleEpoch when what a turn under
  // `epoch` did must not be passed on as its owner's any more.
  Result<void> CheckOutput(const SessionId& session, std::int64_t epoch) const;

 private:
  const LeaseView& leases_;
  const Clock& clock_;
};

}  // namespace falconer::kernel
