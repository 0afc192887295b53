#include "policy/redaction/number_detectors.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/text.h"
#include "policy/redaction/text_class.h"

namespace falconer::policy {
namespace {

struct CardBrand {
  std::string_view name;
  int first;  // of the leading four digits
  int last;
  std::uint32_t lengths;  // a bit for each
};

constexpr std::uint32_t Lengths(std::initializer_list<unsigned> lengths) {
  std::uint32_t bits = 0;
  for (const unsigned length : lengths) bits |= 1U << length;
  return bits;
}

constexpr CardBrand kCardBrands[] = {
    {"visa", 4000, 4999, Lengths({13, 16, 19})},
    {"mastercard", 5100, 5599, Lengths({16})},
    {"mastercard", 2221, 2720, Lengths({16})},
    {"amex", 3400, 3499, Lengths({15})},
    {"amex", 3700, 3799, Lengths({15})},
    {"diners", 3000, 3059, Lengths({14, 16})},
    {"diners", 3600, 3699, Lengths({14, 16})},
    {"diners", 3800, 3999, Lengths({14, 16})},
    {"jcb", 3528, 3589, Lengths({16, 17, 18, 19})},
    {"discover", 6011, 6011, Lengths({16, 19})},
    {"discover", 6440, 6599, Lengths({16, 19})},
    {"unionpay", 6200, 6299, Lengths({16, 17, 18, 19})},
    {"maestro", 5000, 5099, Lengths({16, 19})},
    {"maestro", 5600, 5899, Lengths({16, 19})},
    {"maestro", 6300, 6399, Lengths({16, 19})},
    {"maestro", 6700, 6799, Lengths({16, 19})},
    {"mir", 2200, 2204, Lengths({16})},
};

constexpr std::size_t kMostCardDigits = 19;
constexpr std::size_t kLeastCardDigits = 13;

bool HasBrand(std::string_view digits) {
  const int lead = (digits[0] - '0') * 1000 + (digits[1] - '0') * 100 + (digits[2] - '0') * 10 +
                   (digits[3] - '0');
  return std::ranges::any_of(kCardBrands, [&](const CardBrand& brand) {
    return brand.first <= lead && lead <= brand.last && (brand.lengths >> digits.size() & 1U) != 0;
  });
}

// How cards print their digits.
constexpr std::string_view kCardGroups[] = {"4444", "465", "464", "44443", "4441", "88"};

// A few characters in a row; what does not fit is not needed.
class ShortText {
 public:
  void Add(char c) {
    if (size_ < chars_.size()) chars_[size_++] = c;
  }
  std::string_view view() const { return {chars_.data(), size_}; }
  std::size_t size() const { return size_; }

 private:
  std::array<char, kMostCardDigits + 1> chars_;
  std::size_t size_ = 0;
};

struct DigitRun {
  ShortText digits;
  ShortText groups;  // the length of each, as a digit
  std::size_t size = 0;
};

// Digits in groups that one kind of separator parts; one more than the most that cards have ends
// them.
DigitRun ReadDigits(std::string_view text) {
  DigitRun run;
  char separator = 0;
  std::size_t group = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsDigit(c)) {
      run.digits.Add(c);
      ++group;
      run.size = i + 1;
      if (run.digits.size() > kMostCardDigits) break;
      continue;
    }
    const bool parts = (c == ' ' || c == '-') && group > 0 && (separator == 0 || separator == c) &&
                       i + 1 < text.size() && IsDigit(text[i + 1]);
    if (!parts) break;
    separator = c;
    run.groups.Add(static_cast<char>('0' + std::min<std::size_t>(group, 9)));
    group = 0;
  }
  run.groups.Add(static_cast<char>('0' + std::min<std::size_t>(group, 9)));
  return run;
}

// Whether the number ends where it seems to: not the beginning of a fraction or of a word.
bool EndsNumber(std::string_view text, std::size_t end) {
  if (end >= text.size()) return true;
  if (IsWordChar(text[end])) return false;
  const bool goes_on = (text[end] == '.' || text[end] == '-') && end + 1 < text.size() &&
                       IsLetterOrDigit(text[end + 1]);
  return !goes_on;
}

struct IbanCountry {
  std::string_view code;
  std::size_t length;
};

constexpr IbanCountry kIbanCountries[] = {
    {"AD", 24}, {"AE", 23}, {"AL", 28}, {"AT", 20}, {"AZ", 28}, {"BA", 20}, {"BE", 16}, {"BG", 22},
    {"BH", 22}, {"BR", 29}, {"BY", 28}, {"CH", 21}, {"CR", 22}, {"CY", 28}, {"CZ", 24}, {"DE", 22},
    {"DK", 18}, {"DO", 28}, {"EE", 20}, {"EG", 29}, {"ES", 24}, {"FI", 18}, {"FO", 18}, {"FR", 27},
    {"GB", 22}, {"GE", 22}, {"GI", 23}, {"GL", 18}, {"GR", 27}, {"GT", 28}, {"HR", 21}, {"HU", 28},
    {"IE", 22}, {"IL", 23}, {"IQ", 23}, {"IS", 26}, {"IT", 27}, {"JO", 30}, {"KW", 30}, {"KZ", 20},
    {"LB", 28}, {"LC", 32}, {"LI", 21}, {"LT", 20}, {"LU", 20}, {"LV", 21}, {"LY", 25}, {"MC", 27},
    {"MD", 24}, {"ME", 22}, {"MK", 19}, {"MR", 27}, {"MT", 31}, {"MU", 30}, {"NL", 18}, {"NO", 15},
    {"PK", 24}, {"PL", 28}, {"PS", 29}, {"PT", 25}, {"QA", 29}, {"RO", 24}, {"RS", 22}, {"SA", 24},
    {"SC", 31}, {"SE", 24}, {"SI", 19}, {"SK", 24}, {"SM", 27}, {"ST", 25}, {"SV", 28}, {"TL", 23},
    {"TN", 24}, {"TR", 26}, {"UA", 29}, {"VA", 22}, {"VG", 24}, {"XK", 20},
};

std::size_t IbanLengthOf(std::string_view country) {
  const auto* row = std::ranges::find(kIbanCountries, country, &IbanCountry::code);
  return row == std::end(kIbanCountries) ? 0 : row->length;
}

// The rest of the rearranged number by 97: letters count as two digits.
bool HasRightRest(std::string_view iban) {
  unsigned rest = 0;
  for (std::size_t i = 0; i < iban.size(); ++i) {
    const char c = iban[(i + 4) % iban.size()];
    if (IsDigit(c)) {
      rest = (rest * 10 + static_cast<unsigned>(c - '0')) % 97;
    } else {
      rest = (rest * 100 + static_cast<unsigned>(c - 'A') + 10) % 97;
    }
  }
  return rest == 1;
}

int NumberOf(std::string_view digits) {
  int value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

// True when the text begins like the pattern, in which 0 stands for a digit.
bool HasForm(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool fits = pattern[i] == '0' ? IsDigit(text[i]) : text[i] == pattern[i];
    if (!fits) return false;
  }
  return true;
}

constexpr std::string_view kNationalPhones[] = {"(000) 000-0000", "(000)000-0000", "000-000-0000"};
constexpr std::size_t kLeastPhoneDigits = 8;
constexpr std::size_t kMostPhoneDigits = 15;

// "+", digits, and what people put between them.
std::size_t InternationalPhone(std::string_view text) {
  std::size_t digits = 0;
  std::size_t size = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (IsDigit(text[i])) {
      if (++digits > kMostPhoneDigits) return 0;
      size = i + 1;
      continue;
    }
    const bool parts = std::string_view(" -.()").contains(text[i]) && i - size < 2 && i > 1;
    if (!parts) break;
  }
  const bool is_phone = digits >= kLeastPhoneDigits && text[1] != '0' && EndsNumber(text, size);
  return is_phone ? size : 0;
}

// The fewest digits that any number below has.
constexpr std::size_t kLeastDigits = 8;

}  // namespace

bool CanBeginNumber(std::string_view text) {
  std::size_t digits = 0;
  bool is_parted = false;
  for (const char c : text.substr(0, 2 * kLeastDigits)) {
    if (IsDigit(c)) {
      is_parted = false;
      if (++digits == kLeastDigits) return true;
      continue;
    }
    if (is_parted || (c != ' ' && c != '-')) return false;
    is_parted = true;
  }
  return false;
}

bool HasLuhnDigit(std::string_view digits) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    auto value = static_cast<unsigned>(digits[digits.size() - 1 - i] - '0');
    if (i % 2 == 1) value = value > 4 ? value * 2 - 9 : value * 2;
    sum += value;
  }
  return sum % 10 == 0;
}

std::size_t CardLengthAt(std::string_view text) {
  const DigitRun run = ReadDigits(text);
  const std::string_view digits = run.digits.view();
  if (digits.size() < kLeastCardDigits || digits.size() > kMostCardDigits) return 0;
  const bool is_printed =
      run.groups.size() == 1 ||
      std::ranges::find(kCardGroups, run.groups.view()) != std::end(kCardGroups);
  const bool is_card =
      is_printed && HasBrand(digits) && HasLuhnDigit(digits) && EndsNumber(text, run.size);
  return is_card ? run.size : 0;
}

std::size_t IbanLengthAt(std::string_view text) {
  const std::size_t wanted = IbanLengthOf(text.substr(0, 2));
  if (wanted == 0) return 0;
  std::string iban;
  std::size_t i = 0;
  for (; i < text.size() && iban.size() < wanted; ++i) {
    const bool parts = text[i] == ' ' && iban.size() % 4 == 0 && !iban.empty();
    if (parts) continue;
    if (!IsDigit(text[i]) && !IsUpper(text[i])) return 0;
    iban += text[i];
  }
  const bool is_iban = iban.size() == wanted && HasRightRest(iban) && EndsNumber(text, i);
  return is_iban ? i : 0;
}

std::size_t SsnLengthAt(std::string_view text) {
  constexpr std::string_view kForm = "000-00-0000";
  if (!HasForm(text, kForm) || !EndsNumber(text, kForm.size())) return 0;
  const int area = NumberOf(text.substr(0, 3));
  const bool was_issued = area != 0 && area != 666 && area < 900 &&
                          NumberOf(text.substr(4, 2)) != 0 && NumberOf(text.substr(7, 4)) != 0;
  return was_issued ? kForm.size() : 0;
}

std::size_t PhoneLengthAt(std::string_view text) {
  if (text.size() > 2 && text[0] == '+') return InternationalPhone(text);
  for (const std::string_view form : kNationalPhones) {
    if (HasForm(text, form) && EndsNumber(text, form.size())) return form.size();
  }
  return 0;
}

}  // namespace falconer::policy
