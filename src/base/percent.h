#pragma once
// Percent escapes, as addresses and forms write bytes: "%41" for "A" (RFC 3986, 2.1).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hex.h"

namespace falconer {

enum class SpaceForm : std::uint8_t { kEscape, kPlus };

// Encoders differ in what they leave as it is.
struct PercentForm {
  std::string_view kept = "-_.~";  // besides letters and digits
  HexCase letters = HexCase::kUpper;
  SpaceForm space = SpaceForm::kEscape;
};

std::string PercentEncoded(std::string_view text, const PercentForm& form = {});

// The byte of the escape that `text` begins with, where it begins with one.
constexpr std::optional<std::uint8_t> LeadingEscape(std::string_view text) {
  return text.starts_with('%') ? ByteOfHex(text.substr(1)) : std::nullopt;
}

// The text with each escape as the byte it stands for; a "%" that begins none stays.
std::string PercentDecoded(std::string_view text);
// The same; nothing when a "%" begins no escape.
std::optional<std::string> ParsePercent(std::string_view text);
// The same of a form, which writes spaces as "+"; a "%" that begins no escape stays.
std::string FormDecoded(std::string_view text);

}  // namespace falconer
