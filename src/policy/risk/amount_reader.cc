#include "policy/risk/amount_reader.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "policy/risk/field_kind.h"
#include "policy/risk/words.h"

namespace falconer::policy {
namespace {

struct CurrencySign {
  std::string_view sign;
  std::string_view code;
};

// Longer signs first, so that "US$" is not read as "$".
constexpr CurrencySign kSigns[] = {
    {"US$", "USD"}, {"CA$", "CAD"}, {"AU$", "AUD"}, {"NZ$", "NZD"}, {"HK$", "HKD"}, {"NT$", "TWD"},
    {"MX$", "MXN"}, {"A$", "AUD"},  {"C$", "CAD"},  {"S$", "SGD"},  {"R$", "BRL"},  {"$", "USD"},
    {"€", "EUR"},   {"£", "GBP"},   {"¥", "JPY"},   {"￥", "JPY"},  {"円", "JPY"},  {"元", "CNY"},
    {"₹", "INR"},   {"₩", "KRW"},   {"원", "KRW"},  {"₽", "RUB"},   {"₺", "TRY"},   {"₪", "ILS"},
    {"฿", "THB"},   {"₫", "VND"},   {"zł", "PLN"},  {"Kč", "CZK"},  {"Fr.", "CHF"}, {"kr", ""},
};

constexpr std::string_view kCodes[] = {"USD", "EUR", "GBP", "JPY", "CNY", "CHF", "CAD", "AUD",
                                       "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "BRL",
                                       "MXN", "INR", "KRW", "SGD", "HKD", "TWD", "ZAR", "TRY",
                                       "ILS", "THB", "RUB", "AED", "SAR", "CLP", "COP", "ARS"};

constexpr std::string_view kNarrowSpace = "\u202f";
constexpr std::string_view kHardSpace = "\u00a0";
constexpr std::size_t kMaxNumberText = 32;

std::string_view SkipSpaces(std::string_view text) {
  while (!text.empty()) {
    if (text.starts_with(' ')) {
      text.remove_prefix(1);
    } else if (text.starts_with(kHardSpace)) {
      text.remove_prefix(kHardSpace.size());
    } else if (text.starts_with(kNarrowSpace)) {
      text.remove_prefix(kNarrowSpace.size());
    } else {
      break;
    }
  }
  return text;
}

struct SignAt {
  std::string_view code;
  std::size_t bytes = 0;  // 0 when there is none
};

// A sign or code at the beginning of the text.
SignAt ReadSign(std::string_view text) {
  for (const CurrencySign& sign : kSigns) {
    if (text.starts_with(sign.sign)) return {sign.code, sign.sign.size()};
  }
  const bool is_word = text.size() > 3 && IsLetter(text[3]);
  for (const std::string_view code : kCodes) {
    if (text.starts_with(code) && !is_word) return {code, code.size()};
  }
  return {};
}

// How many bytes of the text are a number with its separators.
std::size_t NumberLength(std::string_view text) {
  std::size_t length = 0;
  std::size_t at = 0;
  while (at < text.size() && at < kMaxNumberText) {
    if (IsDigit(text[at])) {
      length = ++at;
      continue;
    }
    const std::string_view rest = text.substr(at);
    const std::size_t gap = rest.starts_with(kHardSpace)                      ? kHardSpace.size()
                            : rest.starts_with(kNarrowSpace)                  ? kNarrowSpace.size()
                            : std::string_view(".,' ").contains(rest.front()) ? 1
                                                                              : 0;
    // A separator belongs to the number only between digits.
    const bool joins = gap > 0 && at > 0 && gap < rest.size() && IsDigit(rest[gap]);
    if (!joins) break;
    at += gap;
  }
  return length;
}

// Whether a sign ends right before `at`.
SignAt SignBefore(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestSign = 4;
  std::size_t end = at;
  while (end > 0 && SkipSpaces(text.substr(end - 1, at - end + 1)).empty()) --end;
  if (end > 1 && (text.substr(end - 2, 2) == kHardSpace)) end -= 2;
  SignAt best;
  for (std::size_t length = 1; length <= std::min(end, kLongestSign); ++length) {
    const SignAt sign = ReadSign(text.substr(end - length, length));
    if (sign.bytes == length) best = sign;
  }
  return best;
}

// By which a field's number is smaller than the currency's unit.
std::int64_t DivisorOf(const Words& name) {
  constexpr std::string_view kHundredths[] = {"cents",       "cent",     "minor",   "pence",
                                              "unit amount", "centimes", "centavos"};
  if (HasPhrase(name, "micros")) return 1'000'000;
  const bool is_small = std::ranges::any_of(
      kHundredths, [&](std::string_view word) { return HasPhrase(name, word); });
  return is_small ? 100 : 1;
}

std::string CurrencyIn(std::span<const BodyField> fields, FieldKinds& kinds) {
  std::string found;
  for (const BodyField& field : fields) {
    if (kinds.Of(field.name) != model::FieldKind::kCurrency) continue;
    const std::string code = ToUpper(Trim(field.value));
    if (!model::IsCurrencyCode(code)) continue;
    if (!found.empty() && found != code) return "";
    found = code;
  }
  return found;
}

}  // namespace

std::optional<std::int64_t> LooseTenThousandths(std::string_view text) {
  text = Trim(text);
  if (NumberLength(text) != text.size() || text.empty()) return std::nullopt;
  const std::size_t last = text.find_last_of(".,");
  const std::size_t digits_after = last == text.npos ? 0 : text.size() - last - 1;
  const bool is_repeated = last != text.npos && text.find(text[last]) != last;
  const bool has_other = last != text.npos && text.find_first_of(".,") != last && !is_repeated;
  // "1,234" is a thousand; "1.234,5", "12.5" and "1,2345" have decimals.
  const bool is_decimal = last != text.npos && !is_repeated && (digits_after != 3 || has_other);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsDigit(text[i])) plain += text[i];
    if (is_decimal && i == last) plain += '.';
  }
  return model::ParseTenThousandths(plain);
}

std::vector<model::Money> AmountsIn(std::string_view text) {
  std::vector<model::Money> amounts;
  std::size_t at = 0;
  while (at < text.size()) {
    if (!IsDigit(text[at])) {
      ++at;
      continue;
    }
    const std::size_t length = NumberLength(text.substr(at));
    const auto value = LooseTenThousandths(text.substr(at, length));
    SignAt sign = SignBefore(text, at);
    if (sign.bytes == 0) sign = ReadSign(SkipSpaces(text.substr(at + length)));
    if (value && sign.bytes > 0) {
      amounts.push_back({.ten_thousandths = *value, .currency = std::string(sign.code)});
    }
    at += length;
  }
  return amounts;
}

std::optional<model::Money> GreatestOf(const std::vector<model::Money>& amounts) {
  if (amounts.empty()) return std::nullopt;
  const bool is_mixed = std::ranges::any_of(amounts, [&](const model::Money& amount) {
    return amount.currency != amounts.front().currency;
  });
  if (is_mixed) return std::nullopt;
  return *std::ranges::max_element(amounts, {}, &model::Money::ten_thousandths);
}

std::vector<model::Money> AmountsOf(std::span<const BodyField> fields) {
  FieldKinds kinds;
  const std::string currency = CurrencyIn(fields, kinds);
  std::vector<model::Money> amounts;
  for (const BodyField& field : fields) {
    if (kinds.Of(field.name) != model::FieldKind::kAmount) continue;
    std::vector<model::Money> signed_amounts = AmountsIn(field.value);
    if (!signed_amounts.empty()) {
      amounts.insert(amounts.end(), signed_amounts.begin(), signed_amounts.end());
      continue;
    }
    const bool is_number = field.kind == BodyField::Kind::kNumber;
    const auto value =
        is_number ? model::ParseTenThousandths(field.value) : LooseTenThousandths(field.value);
    if (!value) continue;
    amounts.push_back(
        {.ten_thousandths = *value / DivisorOf(IdentifierWords(field.name)), .currency = currency});
  }
  return amounts;
}

std::optional<model::Money> AmountOf(std::span<const BodyField> fields) {
  return GreatestOf(AmountsOf(fields));
}

}  // namespace falconer::policy
