#pragma once
// Text of others where people decide by it: nothing in it may look like a line of ours, move the
// cursor of a terminal, or change the direction of what follows.

#include <string>
#include <string_view>

namespace falconer::model {

// One line: control characters, line ends of any kind, and characters that are not seen but change
// how others are (direction, joining, tags) are written as "\u{202e}"; bytes that are no UTF-8 as
// U+FFFD.
std::string PlainLine(std::string_view text);

// Several lines: the same, except that "\n" ends a line. For where the whole is set apart from what
// is ours.
std::string PlainText(std::string_view text);

}  // namespace falconer::model
