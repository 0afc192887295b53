#pragma once
// LeaseView: what the kernel asks about leases. The store of leases implements it; nobody else can
// give an epoch authority.

#include <cstdint>
#include <optional>
#include <string>

#include "base/async/deadline.h"
#include "base/ids.h"

namespace falconer::kernel {

struct LeaseStatus {
  std::int64_t epoch = 0;
  bool is_granted = false;  // not revoked, and held by this node
  TimePoint expires;        // an expired lease counts as revoked
  std::string token_id;
};

class LeaseView {
 public:
  virtual ~LeaseView() = default;
  // The lease of a session, nothing when there never was one. Answers from memory.
  virtual std::optional<LeaseStatus> LeaseOf(const SessionId& session) const = 0;
};

}  // namespace falconer::kernel
