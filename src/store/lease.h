#pragma once
// A lease: who may drive the session of a workflow now. The epoch rises at each change of owner and
// is never used again, so a write that carries an old epoch can always be refused.

#include <chrono>
#include <cstdint>
#include <string>

#include "base/async/clock.h"
#include "base/ids.h"

namespace falconer::store {

// The tenant is part of the key: nobody can touch the lease of another tenant's workflow.
struct LeaseKey {
  TenantId tenant;
  WorkflowId workflow;

  friend bool operator==(const LeaseKey&, const LeaseKey&) = default;
};

// What the owner that holds a lease already gets: the same epoch, or a new one, because somebody
// else drives by it from now on.
enum class LeaseEpoch : std::uint8_t { kSame, kNew };

struct LeaseRequest {
  LeaseKey key;
  // Names one incarnation of a process ("host:pid:start"): whoever gives the same owner gets the
  // same lease.
  std::string owner;
  std::chrono::milliseconds ttl = std::chrono::minutes(5);
  // An owner of whom the caller knows that it has ended: its lease counts as expired.
  std::string gone_owner;
  LeaseEpoch again = LeaseEpoch::kSame;
};

struct Lease {
  LeaseKey key;
  std::string owner;
  std::uint64_t epoch = 0;
  WallTime expires;

  friend bool operator==(const Lease&, const Lease&) = default;
};

}  // namespace falconer::store
