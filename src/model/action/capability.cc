#include "model/action/capability.h"

namespace falconer::model {

std::string_view CapabilityName(Capability capability) {
  return NameIn(kCapabilities, capability);
}

std::vector<std::string_view> CapabilityNames(CapabilitySet set) {
  std::vector<std::string_view> names;
  for (const EnumName<Capability>& row : kCapabilities) {
    if (set.Contains(row.value)) names.push_back(row.name);
  }
  return names;
}

std::optional<CapabilitySet> CapabilitiesNamed(std::string_view name) {
  if (name.starts_with("CAP_")) name.remove_prefix(4);
  if (name == "MUTATE") return CapabilitySet{Capability::kWrite, Capability::kSubmit};
  const std::optional<Capability> one = ValueIn(kCapabilities, name);
  if (!one) return std::nullopt;
  return CapabilitySet{*one};
}

}  // namespace falconer::model
