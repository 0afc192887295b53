#include "policy/risk/words.h"

#include <algorithm>

#include "base/text.h"
#include "policy/rules/fold_text.h"

namespace falconer::policy {
namespace {

enum class CharClass : std::uint8_t { kGap, kLetter, kDigit };

// Bytes beyond ASCII belong to letters.
CharClass ClassOfChar(char c) {
  if (IsDigit(c)) return CharClass::kDigit;
  if (IsLetter(c) || static_cast<unsigned char>(c) >= 0x80) return CharClass::kLetter;
  return CharClass::kGap;
}

Words SplitByClass(std::string_view text) {
  Words words;
  CharClass last = CharClass::kGap;
  for (const char c : text) {
    const CharClass now = ClassOfChar(c);
    if (now != CharClass::kGap) {
      if (now != last) words.emplace_back();
      words.back() += c;
    }
    last = now;
  }
  return words;
}

// With a space where a word begins inside: "deleteItem", "HTMLElement".
std::string SpacedHumps(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool follows_small = i > 0 && !IsUpper(name[i - 1]);
    const bool precedes_small = i + 1 < name.size() && IsLower(name[i + 1]);
    if (i > 0 && IsUpper(name[i]) && (follows_small || precedes_small)) out += ' ';
    out += name[i];
  }
  return out;
}

}  // namespace

Words WordsOf(std::string_view text) {
  return SplitByClass(FoldText(text));
}

Words IdentifierWords(std::string_view identifier) {
  return SplitByClass(FoldText(SpacedHumps(identifier)));
}

bool HasPhrase(const Words& words, std::string_view phrase) {
  const auto fits_at = [&](std::size_t at) {
    std::string_view rest = phrase;
    while (!rest.empty()) {
      const std::size_t space = std::min(rest.find(' '), rest.size());
      if (at >= words.size() || words[at] != rest.substr(0, space)) return false;
      ++at;
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    return true;
  };
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (fits_at(at)) return true;
  }
  return false;
}

}  // namespace falconer::policy
