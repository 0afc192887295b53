#pragma once
// How well a Falconer works, in a word and the numbers that it comes from.

#include <cstdint>

#include "base/json/json_reader.h"

namespace falconer::model {

enum class Health : std::uint8_t {
  kHealthy,
  kDegraded,
  kUnhealthy,
  kPaused,        // nothing is done for whoever asks
  kPartlyPaused,  // nothing is done for some tenants
};

inline constexpr EnumName<Health> kHealths[] = {
    {Health::kHealthy, "healthy"},
    {Health::kDegraded, "degraded"},
    {Health::kUnhealthy, "unhealthy"},
    {Health::kPaused, "paused"},
    {Health::kPartlyPaused, "partly_paused"},
};

// More sites than this that are down, and the fault is hardly theirs.
inline constexpr std::uint64_t kManyOpenCircuits = 5;

constexpr Health HealthOf(std::uint64_t open_circuits) {
  if (open_circuits > kManyOpenCircuits) return Health::kUnhealthy;
  return open_circuits > 0 ? Health::kDegraded : Health::kHealthy;
}

}  // namespace falconer::model
