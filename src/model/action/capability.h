#pragma once
// Capabilities: what a token may allow. Names as on the wire; "CAP_" in front is accepted.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "model/enum_set.h"

namespace falconer::model {

enum class Capability : std::uint8_t {
  kRead,
  kNavigate,
  kInteract,
  kWrite,
  kSubmit,
  kPurchase,
  kUpload,
  kDownload,
  kScript,
  kExport,
  kAuth,
  kDelete,
  kPii,
  kAdmin,
};

inline constexpr EnumName<Capability> kCapabilities[] = {
    {Capability::kRead, "READ"},         {Capability::kNavigate, "NAVIGATE"},
    {Capability::kInteract, "INTERACT"}, {Capability::kWrite, "WRITE"},
    {Capability::kSubmit, "SUBMIT"},     {Capability::kPurchase, "PURCHASE"},
    {Capability::kUpload, "UPLOAD"},     {Capability::kDownload, "DOWNLOAD"},
    {Capability::kScript, "SCRIPT"},     {Capability::kExport, "EXPORT"},
    {Capability::kAuth, "AUTH"},         {Capability::kDelete, "DELETE"},
    {Capability::kPii, "PII"},           {Capability::kAdmin, "ADMIN"},
};

std::string_view CapabilityName(Capability capability);

using CapabilitySet = EnumSet<Capability>;

// The names of a set, in the order of the table.
std::vector<std::string_view> CapabilityNames(CapabilitySet set);

// One word of a token: a capability's name, or MUTATE, which is WRITE and SUBMIT. Nothing when the
// word is neither.
std::optional<CapabilitySet> CapabilitiesNamed(std::string_view name);

}  // namespace falconer::model
