#pragma once
// The filter of system calls that a child is put under: what no tool needs, and what would open the
// walls around it.

#include <cstdint>

namespace falconer::agent {

enum class FilterNetwork : std::uint8_t { kClosed, kOpen };

// For this thread and everything it starts, for good. False when the kernel has no such filters.
// no_new_privs must be set.
bool InstallFilter(FilterNetwork network);

}  // namespace falconer::agent
