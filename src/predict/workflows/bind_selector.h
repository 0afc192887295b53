#pragma once
// Selectors with {name} in them. The selector is read first and the values are put into what was
// read, so that no value can be read as a part of the selector.

#include <string>
#include <string_view>

#include "model/action/target.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {

// The selector with its values, for callers to send. kInvalidSelector: it cannot be read, a
// parameter stands where no value is safe (outside the quotes of css, in an xpath, behind a
// backslash), or the values make it too long or empty. And what `value_of` fails with.
Result<std::string> BindSelector(std::string_view text, const ValueOf& value_of);

// The value as a regular expression that matches it and nothing else, for the language of pages and
// for RE2 alike.
std::string RegexLiteral(std::string_view value);

// Whether a parameter in `text` is preceded by a backslash that would change its first letter.
bool HasEscapedParameter(std::string_view text);

}  // namespace falconer::predict
