#pragma once
// Names of people as the eye reads them: letters of other alphabets, and letters in circles or of
// mathematics, count as the Latin ones that they look like.

#include <string>
#include <string_view>

namespace falconer::model {

// The text with look-alikes replaced, otherwise as it is. For comparing only: of a word that is
// really Greek or Cyrillic it makes no word.
std::string WithoutLookAlikes(std::string_view text);

}  // namespace falconer::model
