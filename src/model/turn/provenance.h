#pragma once
// SnapshotProvenance: which state of the world a plan was made from, as digests of content. All six
// are required; a version label would not prove anything.

#include <array>
#include <cstdint>
#include <string>

#include "base/json/json_reader.h"

namespace falconer::model {

enum class SnapshotKind : std::uint8_t {
  kRoutingView,        // who serves the session, under which epoch
  kAdmissionPolicy,    // limits and quotas in force
  kAbiCompatibility,   // forms of events and contracts that are understood
  kVersionResolution,  // which version of the pipeline was chosen
  kPolicyResolution,   // policy, budgets, retries, recording
  kProviderHealth,     // which providers are bound
};

inline constexpr EnumName<SnapshotKind> kSnapshotKinds[] = {
    {SnapshotKind::kRoutingView, "routing_view"},
    {SnapshotKind::kAdmissionPolicy, "admission_policy"},
    {SnapshotKind::kAbiCompatibility, "abi_compatibility"},
    {SnapshotKind::kVersionResolution, "version_resolution"},
    {SnapshotKind::kPolicyResolution, "policy_resolution"},
    {SnapshotKind::kProviderHealth, "provider_health"},
};

inline constexpr std::size_t kSnapshotCount = std::size(kSnapshotKinds);

// True for 64 lower-case hex digits.
bool IsSha256Hex(std::string_view text);

struct SnapshotProvenance {
  // By SnapshotKind; each the SHA-256 of the snapshot's canonical JSON, in hex.
  std::array<std::string, kSnapshotCount> digests;

  std::string& operator[](SnapshotKind kind) { return digests[static_cast<std::size_t>(kind)]; }
  const std::string& operator[](SnapshotKind kind) const {
    return digests[static_cast<std::size_t>(kind)];
  }

  // kInvalidArgument, naming the first digest that is missing or none.
  Result<void> Validate() const;
  json::object ToJson() const;
  bool operator==(const SnapshotProvenance&) const = default;
};

SnapshotProvenance ReadProvenance(JsonReader& in);

}  // namespace falconer::model
