#pragma once
// Wall time as the tables keep it: milliseconds since 1970.

#include <cstdint>

#include "base/async/clock.h"

namespace falconer::store {

inline std::int64_t ToWallMs(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

inline WallTime FromWallMs(std::int64_t ms) {
  return WallTime(std::chrono::milliseconds(ms));
}

}  // namespace falconer::store
