#pragma once
// FoldText: the form in which words of pages and names of people are compared: lower case, Latin
// letters without their marks, wide forms as plain ones, and nothing of what cannot be seen.

#include <string>
#include <string_view>

namespace falconer::model {

// Bytes that are not UTF-8 count as spaces. Runs of white space become one space; none is left at
// the ends.
std::string FoldText(std::string_view text);

}  // namespace falconer::model
