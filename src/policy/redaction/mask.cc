#include "policy/redaction/mask.h"

#include <algorithm>
#include <span>

#include "base/text.h"
#include "policy/redaction/text_class.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kShownEnd = 4;
constexpr std::string_view kDots = "...";
// Shorter keys would show too much of themselves.
constexpr std::size_t kShortestShownKey = 16;
constexpr std::size_t kShortestShownStart = 20;
constexpr std::size_t kLongestStart = 7;

std::string LastDigits(std::string_view value) {
  std::string digits;
  for (const char c : value) {
    if (IsDigit(c)) digits += c;
  }
  return digits.size() <= kShownEnd ? std::string(kShownEnd, '*')
                                    : digits.substr(digits.size() - kShownEnd);
}

// "sk_" of "sk_live_...": who issued the key is no secret.
std::string_view StartOfKey(std::string_view value) {
  const std::size_t mark = value.substr(0, kLongestStart).find_first_of("_-");
  if (mark != std::string_view::npos) return value.substr(0, mark + 1);
  return value.substr(0, value.size() >= kShortestShownStart ? 3 : 0);
}

std::string MaskKey(std::string_view value) {
  if (value.size() < kShortestShownKey) return std::string(kStars);
  const std::string_view end = value.substr(value.size() - kShownEnd);
  if (!std::ranges::all_of(end, IsKeyChar)) return std::string(kStars);
  std::string_view start = StartOfKey(value);
  while (!start.empty() && !std::ranges::all_of(start, IsKeyChar)) start.remove_suffix(1);
  return std::string(start) + std::string(kDots) + std::string(end);
}

constexpr std::string_view kAuthSchemes[] = {"bearer", "basic",     "digest",          "token",
                                             "apikey", "negotiate", "aws4-hmac-sha256"};

std::string MaskAuthorization(std::string_view value) {
  const std::size_t space = value.find(' ');
  if (space == std::string_view::npos) return std::string(kStars);
  const std::string scheme = ToLower(value.substr(0, space));
  const bool is_scheme = std::ranges::find(kAuthSchemes, scheme) != std::end(kAuthSchemes);
  return is_scheme ? std::string(value.substr(0, space + 1)) + std::string(kStars)
                   : std::string(kStars);
}

constexpr std::string_view kCookieAttributes[] = {"path",     "domain",   "expires", "max-age",
                                                  "samesite", "priority", "version"};

std::string MaskCookiePair(std::string_view pair) {
  const std::size_t equals = pair.find('=');
  if (equals == std::string_view::npos) return std::string(pair);
  const std::size_t name = std::min(pair.find_first_not_of(' '), equals);
  const std::string lower = ToLower(pair.substr(name, equals - name));
  if (std::ranges::find(kCookieAttributes, lower) != std::end(kCookieAttributes)) {
    return std::string(pair);
  }
  return std::string(pair.substr(0, equals + 1)) + std::string(kStars);
}

// Names and attributes stay, values go. What is no list of pairs is a bare value.
std::string MaskCookies(std::string_view value) {
  if (!value.contains('=')) return std::string(kStars);
  std::string out;
  while (true) {
    const std::size_t end = std::min(value.find(';'), value.size());
    out += MaskCookiePair(value.substr(0, end));
    if (end == value.size()) return out;
    out += ';';
    value.remove_prefix(end + 1);
  }
}

std::string MaskEmail(std::string_view value) {
  const std::size_t at = value.rfind('@');
  if (at == std::string_view::npos || at == 0) return std::string(kStars);
  // A letter of another script is more than one byte.
  const char first = static_cast<unsigned char>(value[0]) < 0x80 ? value[0] : '*';
  return std::string(1, first) + "***" + std::string(value.substr(at));
}

std::string MaskIban(std::string_view value) {
  if (value.size() < 2 || !IsLetter(value[0]) || !IsLetter(value[1])) {
    return std::string(kStars);
  }
  return std::string(value.substr(0, 2)) + "**" + std::string(kDots) + LastDigits(value);
}

bool IsShortKeyMask(std::string_view value) {
  const std::size_t dots = value.find(kDots);
  return dots != std::string_view::npos && dots <= kLongestStart &&
         value.size() == dots + kDots.size() + kShownEnd;
}

// "[card dropped]", "[email#0123...]", "[private_key]", "[secret NAME]".
bool IsMarker(std::string_view value) {
  if (value.size() < 3 || value.front() != '[' ||
      value.find_first_of("[]", 1) != value.size() - 1) {
    return false;
  }
  const std::string_view name = value.substr(1, value.find_first_of(" #~]") - 1);
  const bool is_kind =
      std::ranges::any_of(AllFindingKinds(), [&](const auto& row) { return row.name == name; });
  const bool is_class =
      std::ranges::any_of(kPayloadClasses, [&](const auto& row) { return row.name == name; });
  return is_kind || is_class;
}

bool MayHoldMarker(std::string_view text) {
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const std::size_t end = text.find(']', at);
    if (end == std::string_view::npos) return false;
    if (IsMarker(text.substr(at, end + 1 - at))) return true;
  }
  return false;
}

// The dots and the last four of a key, and nothing of a word behind them.
bool MayHoldKeyMask(std::string_view text) {
  for (std::size_t at = text.find(kDots); at != std::string_view::npos;
       at = text.find(kDots, at + 1)) {
    const std::string_view behind = text.substr(at + kDots.size());
    const std::size_t size =
        static_cast<std::size_t>(std::ranges::find_if_not(behind, IsKeyChar) - behind.begin());
    if (size == kShownEnd) return true;
  }
  return false;
}

bool IsMaskedCookies(std::string_view value) {
  return value.contains('=') && value.contains(kStars) && MaskCookies(value) == value;
}

}  // namespace

std::string MaskOf(FindingKind kind, std::string_view value) {
  if (IsMasked(value)) return std::string(value);
  const FindingTraits& traits = TraitsOf(kind);
  switch (traits.mask) {
    case MaskStyle::kStars:
      return std::string(kStars);
    case MaskStyle::kShortStars:
      return "***";
    case MaskStyle::kApiKey:
      return MaskKey(value);
    case MaskStyle::kAuthorization:
      return MaskAuthorization(value);
    case MaskStyle::kCookie:
      return MaskCookies(value);
    case MaskStyle::kCard:
      return "****-****-****-" + LastDigits(value);
    case MaskStyle::kIban:
      return MaskIban(value);
    case MaskStyle::kSsn:
      return "***-**-" + LastDigits(value);
    case MaskStyle::kEmail:
      return MaskEmail(value);
    case MaskStyle::kPhone:
      return "***" + LastDigits(value);
    case MaskStyle::kName:
      return "[" + std::string(traits.name) + "]";
  }
  return std::string(kStars);
}

bool IsMasked(std::string_view value) {
  if (value.empty()) return true;
  if (value.starts_with("***")) {
    // Stars, then at most four digits with separators before them.
    const std::size_t rest = value.find_first_not_of("*-");
    if (rest == std::string_view::npos) return true;
    return value.size() - rest <= kShownEnd && std::ranges::all_of(value.substr(rest), IsDigit);
  }
  if (value.ends_with(kStars) && MaskAuthorization(value) == value) return true;
  if (value.size() > 5 && value.substr(1, 4) == "***@") return true;
  if (value.size() > 7 && value.substr(2, 5) == "**...") return value.size() <= 11;
  return IsMarker(value) || IsShortKeyMask(value) || IsMaskedCookies(value);
}

bool MayHoldMask(std::string_view text) {
  return text.contains("***") || MayHoldMarker(text) || MayHoldKeyMask(text);
}

}  // namespace falconer::policy
