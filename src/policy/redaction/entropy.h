#pragma once
// Looks for randomness: keys that no issuer marked. Words, names in camel case, numbers and digests
// in hex are ordinary; a run in which capitals, small letters and digits take turns is not.

#include <string_view>

namespace falconer::policy {

// Whether a run of token characters (letters, digits, "_-+/=") was made by a generator.
bool LooksRandom(std::string_view token);

}  // namespace falconer::policy
