#include "model/text.h"

#include <algorithm>
#include <charconv>

namespace falconer::model {
namespace {

unsigned char Byte(char c) {
  return static_cast<unsigned char>(c);
}

bool IsContinuation(char c) {
  return (Byte(c) & 0xC0) == 0x80;
}

// One row per form a multi-byte sequence may take; the second byte's range is what rules out
// overlong forms, surrogates and values beyond Unicode.
struct Utf8Form {
  unsigned char first_min, first_max;
  std::size_t length;
  unsigned char second_min, second_max;
};

constexpr Utf8Form kUtf8Forms[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF}, {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF}, {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

// Length of the well-formed sequence at the front of `text`, 0 when there is none.
std::size_t SequenceLength(std::string_view text) {
  const unsigned char first = Byte(text[0]);
  if (first < 0x80) return 1;
  for (const Utf8Form& form : kUtf8Forms) {
    if (first < form.first_min || first > form.first_max) continue;
    if (text.size() < form.length) return 0;
    const unsigned char second = Byte(text[1]);
    if (second < form.second_min || second > form.second_max) return 0;
    const bool rest_ok = std::ranges::all_of(text.substr(2, form.length - 2), IsContinuation);
    return rest_ok ? form.length : 0;
  }
  return 0;
}

}  // namespace

bool IsSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::optional<int> ParseInt(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::size_t Utf8Length(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !IsContinuation(c); }));
}

std::string_view Utf8Prefix(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && IsContinuation(text[limit])) --limit;
  return text.substr(0, limit);
}

bool HasControl(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const unsigned char byte = Byte(c);
    return byte == 0x7F || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
  });
}

}  // namespace falconer::model
