#pragma once
// Numbers with rules of their own: cards (brand and Luhn), accounts (IBAN, mod 97), social security
// numbers, telephone numbers. Each function answers how many bytes of the beginning of the text are
// one, 0 for none; the caller has seen that the text begins a word.

#include <cstddef>
#include <string_view>

namespace falconer::policy {

// Whether one of those below that begin with a digit can begin here: a quick look before the exact
// ones. Enough digits follow, with at most one space or hyphen between two.
bool CanBeginNumber(std::string_view text);

// 13 to 19 digits, whole or in the groups that cards print, with a brand's prefix and length and a
// Luhn digit that is right.
std::size_t CardLengthAt(std::string_view text);
// In one piece or in groups of four.
std::size_t IbanLengthAt(std::string_view text);
// "123-45-6789" of a range that was issued.
std::size_t SsnLengthAt(std::string_view text);
// "+49 30 1234567", "(555) 123-4567", "555-123-4567".
std::size_t PhoneLengthAt(std::string_view text);

bool HasLuhnDigit(std::string_view digits);

}  // namespace falconer::policy
