#pragma once
// Who holds a lease, in a form that others on the same machine can check: a process that was killed
// keeps nobody waiting until its leases run out.

#include <string>

namespace falconer::kernel {

// "machine:pid:start". The machine is told by its boot and by the namespace its processes are
// numbered in, so that a number never stands for somebody else's process.
std::string OwnLeaseOwner();

// True only when the owner was a process of this machine and no longer runs. Of others nothing is
// known.
bool HasEnded(const std::string& owner);

}  // namespace falconer::kernel
