#pragma once
// Canonical JSON (RFC 8785, JCS): one text for one value, so that a hash or a signature of the text
// is a hash or a signature of the value.

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace falconer {

// The canonical text: keys sorted by UTF-16 code units, numbers as ECMAScript writes them, the
// shortest escapes, no white space. Fails with kInvalidArgument, naming the path, for what the
// canonical form cannot carry: strings that are not valid UTF-8 (lone surrogates included), numbers
// that are not finite, whole numbers that no double holds exactly, and depth beyond kMaxJsonDepth.
Result<std::string> CanonicalJson(const json::value& value);

// Parses (see ParseJson: a key given twice is refused) and writes canonically.
Result<std::string> CanonicalizeJson(std::string_view text);

// A number as ECMAScript's Number::toString writes it; `number` MUST be finite.
std::string EcmaNumber(double number);

}  // namespace falconer
