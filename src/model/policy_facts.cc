#include "model/policy_facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "base/text.h"

namespace falconer::model {
namespace {

constexpr std::size_t kMoneyDigits = 4;  // after the point
constexpr std::size_t kDigitsOfCents = 2;

// value * 10 + digit, nothing when it does not fit.
std::optional<std::int64_t> AppendDigit(std::int64_t value, char digit) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::int64_t added = digit - '0';
  if (value > (kMax - added) / 10) return std::nullopt;
  return value * 10 + added;
}

}  // namespace

std::optional<std::int64_t> ParseTenThousandths(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = point < text.size() ? text.substr(point + 1) : std::string_view();
  const bool has_bare_point = point < text.size() && part.empty();
  if (whole.empty() || has_bare_point || part.size() > kMoneyDigits) return std::nullopt;
  if (!std::ranges::all_of(whole, IsDigit) || !std::ranges::all_of(part, IsDigit)) {
    return std::nullopt;
  }
  std::string digits = std::string(whole) + std::string(part);
  digits.append(kMoneyDigits - part.size(), '0');
  std::int64_t value = 0;
  for (const char digit : digits) {
    const std::optional<std::int64_t> next = AppendDigit(value, digit);
    if (!next) return std::nullopt;
    value = *next;
  }
  return is_negative ? -value : value;
}

bool IsCurrencyCode(std::string_view text) {
  return text.size() == 3 && std::ranges::all_of(text, IsUpper);
}

std::string Money::ToText() const {
  const bool is_negative = ten_thousandths < 0;
  const std::uint64_t size = is_negative ? 0 - static_cast<std::uint64_t>(ten_thousandths)
                                         : static_cast<std::uint64_t>(ten_thousandths);
  const std::uint64_t part = size % kUnit;
  std::string out = fmt::format("{}{}", is_negative ? "-" : "", size / kUnit);
  if (part != 0) {
    std::string digits = fmt::format("{:04}", part);
    while (digits.size() > kDigitsOfCents && digits.ends_with('0')) digits.pop_back();
    out += "." + digits;
  }
  return currency.empty() ? out : out + " " + currency;
}

}  // namespace falconer::model
