#pragma once
// The parameters of a header's value: name="x"; other=y. One reader for all who look at bodies, so
// that what is judged, shown and masked is cut at the same places.

#include <optional>
#include <string>
#include <string_view>

namespace falconer::policy {

// The first parameter of this name (lower case), its name compared without case. A quoted value may
// hold anything but a quote: browsers write %22 for that. Nothing when there is none.
std::optional<std::string> HeaderParameter(std::string_view header, std::string_view name);

}  // namespace falconer::policy
