#pragma once
// FoldText: the form in which words from pages are compared: lower case, Latin letters without
// their marks, wide forms as plain ones, and nothing of what cannot be seen.

#include <string>
#include <string_view>

namespace falconer::policy {

// Bytes that are not UTF-8 count as spaces. Runs of white space become one space; none is left at
// the ends.
std::string FoldText(std::string_view text);

// Whether a glob covers the whole text: * is anything, ? one byte, \ takes the next byte as it is.
// Takes at most the product of both lengths in steps.
bool GlobMatches(std::string_view glob, std::string_view text);

}  // namespace falconer::policy
