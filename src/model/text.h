#pragma once
// Small questions about text that several parts of the model ask. ASCII rules only, except where a
// name says UTF-8.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace falconer::model {

bool IsSpace(char c);
bool IsDigit(char c);
bool IsLetter(char c);

// `text` without the white space at both ends.
std::string_view Trim(std::string_view text);
std::string ToLower(std::string_view text);
std::string ToUpper(std::string_view text);

// A whole number in decimal digits that fits, with nothing around it.
std::optional<int> ParseInt(std::string_view text);

// Code points in valid UTF-8; the limits on what callers send are counted in these.
std::size_t Utf8Length(std::string_view text);

// True when `text` holds a control character other than tab, line feed and carriage return.
bool HasControl(std::string_view text);

}  // namespace falconer::model
