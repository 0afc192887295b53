#include "predict/typed_text.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace falconer::predict {
namespace {

constexpr std::size_t kLeastInText = 3;
// A text of a page that was cut may end in the middle of what was typed.
constexpr std::size_t kLeastCut = 4;
constexpr std::size_t kCutTexts = 60;
constexpr std::string_view kEllipsis = "\u2026";

bool IsWordByte(char c) {
  return IsLetterOrDigit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// Whether a word goes on over the border before `at`.
bool IsInsideWord(std::string_view text, std::size_t at) {
  return at > 0 && at < text.size() && IsWordByte(text[at - 1]) && IsWordByte(text[at]);
}

bool BeginsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && IsSameWord(text.substr(0, word.size()), word);
}

bool StandsAt(std::string_view text, std::size_t at, std::string_view word) {
  if (word.empty() || !BeginsWith(text.substr(at), word)) return false;
  if (word.size() < kLeastInText) return at == 0 && word.size() == text.size();
  return !IsInsideWord(text, at) && !IsInsideWord(text, at + word.size());
}

// Where the words of a text end that may have been cut.
std::size_t CutEnd(std::string_view text) {
  if (text.ends_with(kEllipsis)) text.remove_suffix(kEllipsis.size());
  while (!text.empty() && (text.back() == '.' || IsSpace(text.back()))) text.remove_suffix(1);
  return text.size();
}

bool IsCutAt(std::string_view text, std::size_t at, std::string_view word) {
  if (text.size() < kCutTexts || IsInsideWord(text, at)) return false;
  const std::string_view rest = text.substr(at, CutEnd(text) - std::min(at, CutEnd(text)));
  return rest.size() >= kLeastCut && rest.size() < word.size() && BeginsWith(word, rest);
}

std::optional<TypedPlace> PlaceAt(std::span<const std::string> words, std::string_view text,
                                  std::size_t at) {
  std::optional<TypedPlace> best;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    TypedPlace place{.begin = at, .end = at + word.size(), .typed = i};
    if (StandsAt(text, at, word)) {
      place.is_same = text.substr(at, word.size()) == word;
    } else if (IsCutAt(text, at, word)) {
      place.end = text.size();
      place.is_cut = true;
    } else {
      continue;
    }
    if (!best || place.end > best->end) best = place;
  }
  return best;
}

}  // namespace

std::string FoldSpaces(std::string_view text) {
  std::string out;
  for (const char c : Trim(text)) {
    if (!IsSpace(c)) {
      out += c;
    } else if (out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

std::vector<TypedPlace> PlacesOf(std::span<const std::string> typed, std::string_view text) {
  std::vector<std::string> words;
  words.reserve(typed.size());
  for (const std::string& one : typed) words.push_back(FoldSpaces(one));
  std::vector<TypedPlace> places;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<TypedPlace> place = PlaceAt(words, text, at);
    if (place) places.push_back(*place);
    at = place ? place->end : at + 1;
  }
  return places;
}

std::string WithoutTyped(std::span<const std::string> typed, std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (const TypedPlace& place : PlacesOf(typed, text)) {
    out.append(text.substr(at, place.begin - at)).append("*");
    at = place.end;
  }
  return out.append(text.substr(at));
}

}  // namespace falconer::predict
