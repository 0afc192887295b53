#pragma once
// How words from pages are compared with those of rules.

#include <string_view>

#include "model/fold_text.h"

namespace falconer::policy {

using model::FoldText;

// Whether a glob covers the whole text: * is anything, ? one byte, \ takes the next byte as it is.
// Takes at most the product of both lengths in steps.
bool GlobMatches(std::string_view glob, std::string_view text);

}  // namespace falconer::policy
