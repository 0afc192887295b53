#pragma once
// What two lists of host patterns both allow, as a list of patterns.

#include <span>
#include <vector>

#include "policy/host_pattern.h"

namespace falconer::policy {

// Two patterns overlap in the narrower of them or not at all; where only one names a port, that
// port. A pattern that covers private hosts only in person never widens to them.
std::vector<HostPattern> OverlapOf(std::span<const HostPattern> one,
                                   std::span<const HostPattern> other);

}  // namespace falconer::policy
