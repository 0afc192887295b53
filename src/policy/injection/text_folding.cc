#include "policy/injection/text_folding.h"

#include <algorithm>
#include <array>
#include <optional>

namespace falconer::policy {
namespace {

constexpr char32_t kNoCharacter = 0xFFFD;
constexpr std::size_t kLeastSpacedLetters = 5;
constexpr std::size_t kLongestWord = 20;  // longer ones were written without spaces

struct PointRange {
  char32_t first;
  char32_t last;
};

bool IsIn(char32_t point, const auto& ranges) {
  return std::ranges::any_of(
      ranges, [&](const PointRange& range) { return range.first <= point && point <= range.last; });
}

constexpr PointRange kInvisible[] = {{0x00AD, 0x00AD}, {0x034F, 0x034F},  {0x115F, 0x1160},
                                     {0x180B, 0x180E}, {0x200B, 0x200D},  {0x2060, 0x2064},
                                     {0x3164, 0x3164}, {0xFE00, 0xFE0F},  {0xFEFF, 0xFEFF},
                                     {0xFFA0, 0xFFA0}, {0xE0100, 0xE01EF}};
constexpr PointRange kBidi[] = {
    {0x061C, 0x061C}, {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}};
constexpr PointRange kCombining[] = {{0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}};
constexpr PointRange kIdeographs[] = {
    {0x3040, 0x30FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0x20000, 0x2FFFF}};
constexpr char32_t kFirstTag = 0xE0020;
constexpr char32_t kLastTag = 0xE007E;
constexpr char32_t kFlagBase = 0x1F3F4;

// U+00C0 to U+017F without their accents. "?" has no plain letter.
constexpr std::string_view kPlainLatin =
    "aaaaaaaceeeeiiiidnooooo?ouuuuytsaaaaaaaceeeeiiiidnooooo?ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kPlainLatin.size() == 0x180 - 0xC0);

struct LookAlike {
  char32_t point;
  char letter;
};

// Letters of other scripts that are drawn like Latin ones.
constexpr LookAlike kLookAlikes[] = {
    {U'а', 'a'}, {U'е', 'e'}, {U'о', 'o'}, {U'р', 'p'}, {U'с', 'c'}, {U'у', 'y'}, {U'х', 'x'},
    {U'і', 'i'}, {U'ї', 'i'}, {U'ѕ', 's'}, {U'ј', 'j'}, {U'ԁ', 'd'}, {U'һ', 'h'}, {U'ӏ', 'l'},
    {U'в', 'b'}, {U'к', 'k'}, {U'м', 'm'}, {U'н', 'h'}, {U'т', 't'}, {U'г', 'r'}, {U'п', 'n'},
    {U'ԛ', 'q'}, {U'ԝ', 'w'}, {U'ѵ', 'v'}, {U'α', 'a'}, {U'β', 'b'}, {U'ε', 'e'}, {U'η', 'n'},
    {U'ι', 'i'}, {U'κ', 'k'}, {U'ν', 'v'}, {U'ο', 'o'}, {U'ρ', 'p'}, {U'σ', 'o'}, {U'τ', 't'},
    {U'υ', 'u'}, {U'χ', 'x'}, {U'ω', 'w'}, {U'γ', 'y'}, {U'ո', 'n'}, {U'ս', 'u'}, {U'օ', 'o'},
    {U'ց', 'g'}, {U'հ', 'h'}, {U'ɡ', 'g'}, {U'ɑ', 'a'}, {U'ı', 'i'}, {U'ℓ', 'l'},
};

// Small capitals, in the order of the alphabet; 0 where there is none.
constexpr char32_t kSmallCapitals[] = {U'ᴀ', U'ʙ', U'ᴄ', U'ᴅ', U'ᴇ', U'ꜰ', U'ɢ', U'ʜ', U'ɪ',
                                       U'ᴊ', U'ᴋ', U'ʟ', U'ᴍ', U'ɴ', U'ᴏ', U'ᴘ', U'ꞯ', U'ʀ',
                                       U'ꜱ', U'ᴛ', U'ᴜ', U'ᴠ', U'ᴡ', 0,    U'ʏ', U'ᴢ'};

// Runs of 26 letters that stand for A to Z.
constexpr char32_t kAlphabets[] = {0x24B6, 0x24D0, 0x1F130, 0x1F150, 0x1F170, 0x249C};

// Compatibility forms as what they stand for.
char32_t Compatible(char32_t point) {
  if (point < 0x180) return point;
  if (point >= 0xFF01 && point <= 0xFF5E) return point - 0xFF01 + '!';
  if (point >= 0x1D400 && point <= 0x1D6A3) {
    const char32_t place = (point - 0x1D400) % 52;
    return place < 26 ? U'a' + place : U'a' + place - 26;
  }
  if (point >= 0x1D7CE && point <= 0x1D7FF) return U'0' + (point - 0x1D7CE) % 10;
  for (const char32_t first : kAlphabets) {
    if (point >= first && point < first + 26) return U'a' + (point - first);
  }
  const auto* capital = std::ranges::find(kSmallCapitals, point);
  if (capital != std::end(kSmallCapitals)) {
    return U'a' + static_cast<char32_t>(capital - kSmallCapitals);
  }
  return point;
}

char32_t Lower(char32_t point) {
  if (point < 0x80) return point >= 'A' && point <= 'Z' ? point + 32 : point;
  if (point >= 0xC0 && point < 0x180) {
    const char plain = kPlainLatin[point - 0xC0];
    return plain == '?' ? point : static_cast<char32_t>(plain);
  }
  if (point >= 0x0391 && point <= 0x03A9) return point + 32;
  if (point >= 0x0410 && point <= 0x042F) return point + 32;
  if (point == 0x0401 || point == 0x0451) return U'е';
  if (point >= 0x0400 && point <= 0x040F) return point + 80;
  return point;
}

bool IsLatin(char32_t point) {
  return point >= 'a' && point <= 'z';
}

bool IsWordPoint(char32_t point) {
  if (point < 0x80) return IsLatin(point) || (point >= '0' && point <= '9');
  const bool is_sign = (point >= 0x2000 && point <= 0x2BFF) ||
                       (point >= 0x3000 && point <= 0x303F) ||
                       (point >= 0xFF00 && point <= 0xFFEF) || point >= 0x1F000 || point < 0xC0 ||
                       point == kNoCharacter;
  return !is_sign;
}

bool EndsSentence(char32_t point) {
  return point == '.' || point == '!' || point == '?' || point == '\n' || point == ';' ||
         point == 0x3002 || point == 0xFF01 || point == 0xFF1F || point == 0xFF1B;
}

const LookAlike* LookAlikeOf(char32_t point) {
  if (point < 0x80) return nullptr;
  const auto* it = std::ranges::find(kLookAlikes, point, &LookAlike::point);
  return it == std::end(kLookAlikes) ? nullptr : it;
}

// The next character; one that is none counts as one byte.
char32_t NextPoint(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return static_cast<char32_t>(text[at++]);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (size == 0 || at + size > text.size()) {
    ++at;
    return kNoCharacter;
  }
  char32_t point = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xC0U) != 0x80) {
      ++at;
      return kNoCharacter;
    }
    point = point << 6U | (next & 63U);
  }
  at += size;
  return point;
}

class TextFolder {
 public:
  FoldedText Run(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) Take(NextPoint(text, at));
    EndWord();
    EndSpaced();
    return std::move(folded_);
  }

 private:
  void Take(char32_t raw) {
    if (TakeInvisible(raw)) return;
    before_ = raw;
    if (raw == ' ' || raw == '\t' || raw == '\r' || raw == '\n') EndSentence();
    stops_ = false;
    if (raw >= 0x300 && IsIn(raw, kCombining)) return;
    const char32_t point = Lower(Compatible(raw));
    // The sign of an address is a word of its own.
    if (IsIdeograph(point) || point == '@') return TakeIdeograph(point);
    if (IsWordPoint(point)) return TakeLetter(point);
    const bool joins = point == '\'' || point == 0x2019;
    if (joins && !word_.empty()) return;
    const std::size_t had = folded_.words.size();
    EndWord();
    // One letter at a time, with a sign or a space between them.
    if (folded_.words.size() == had && point != ' ' && point != '\t') ++gaps_;
    if (gaps_ > 1) EndSpaced();
    stops_ = EndsSentence(raw);
    if (raw == '\n' || raw >= 0x3000) EndSentence();
  }

  // A stop inside of a name ("example.com", "v1.2") ends nothing.
  void EndSentence() {
    if (stops_ && !spaced_open()) ++sentence_;
    stops_ = false;
  }

  // Zero-width characters inside of emoji and of scripts that need them are no trick.
  bool TakeInvisible(char32_t point) {
    if (point < 0x80) return false;
    if (point >= kFirstTag && point <= kLastTag) {
      const bool is_flag = before_ == kFlagBase;
      if (!is_flag) folded_.tagged += static_cast<char>(point - 0xE0000);
      return true;
    }
    if (point == 0xE007F || point == 0xE0001) return true;
    if (IsIn(point, kBidi)) {
      ++folded_.bidi_controls;
      return true;
    }
    if (!IsIn(point, kInvisible)) return false;
    const bool is_variation = point >= 0xFE00 && point <= 0xFE0F;
    if (!word_.empty() && IsLatin(word_.back()) && !is_variation) ++pending_;
    return true;
  }

  void TakeLetter(char32_t point) {
    if (!word_.empty()) folded_.inner_invisibles += pending_;
    pending_ = 0;
    gaps_ = 0;
    word_ += point;
  }

  void TakeIdeograph(char32_t point) {
    EndWord();
    EndSpaced();
    folded_.words.push_back({std::u32string(1, point), sentence_});
  }

  bool spaced_open() const { return spaced_.size() >= kLeastSpacedLetters; }

  void EndWord() {
    pending_ = 0;
    if (word_.empty()) return;
    MendMixed();
    if (word_.size() == 1 && !IsDigitPoint(word_[0])) {
      spaced_ += word_;
      word_.clear();
      gaps_ = 0;
      return;
    }
    EndSpaced();
    const bool is_run = word_.size() > kLongestWord;
    folded_.words.push_back({std::move(word_), sentence_, is_run});
    word_.clear();
  }

  static bool IsDigitPoint(char32_t point) { return point >= '0' && point <= '9'; }

  // Several letters in a row are a word that was pulled apart; a few are just letters.
  void EndSpaced() {
    if (spaced_.empty()) return;
    if (spaced_open()) {
      ++folded_.spaced_words;
      folded_.words.push_back({std::move(spaced_), sentence_, true});
    } else {
      for (const char32_t letter : spaced_) {
        folded_.words.push_back({std::u32string(1, letter), sentence_});
      }
    }
    spaced_.clear();
    gaps_ = 0;
  }

  // A word of Latin letters and look-alikes is meant to be read as Latin.
  void MendMixed() {
    const bool has_latin = std::ranges::any_of(word_, IsLatin);
    const bool has_other =
        std::ranges::any_of(word_, [](char32_t point) { return LookAlikeOf(point) != nullptr; });
    if (!has_latin || !has_other) return;
    ++folded_.mixed_words;
    for (char32_t& point : word_) {
      if (const LookAlike* row = LookAlikeOf(point)) point = static_cast<char32_t>(row->letter);
    }
  }

  FoldedText folded_;
  std::u32string word_;
  std::u32string spaced_;
  std::uint32_t sentence_ = 0;
  int pending_ = 0;  // invisible characters since the last letter
  int gaps_ = 0;
  bool stops_ = false;  // the last character may have ended a sentence
  char32_t before_ = 0;
};

}  // namespace

bool IsIdeograph(char32_t point) {
  return point >= 0x3040 && IsIn(point, kIdeographs);
}

FoldedText FoldWords(std::string_view text) {
  return TextFolder().Run(text);
}

std::u32string WithoutLeet(std::u32string_view word) {
  constexpr LookAlike kLeet[] = {{U'0', 'o'}, {U'1', 'i'}, {U'3', 'e'},
                                 {U'4', 'a'}, {U'5', 's'}, {U'7', 't'}};
  std::u32string out(word);
  for (char32_t& point : out) {
    const auto* row = std::ranges::find(kLeet, point, &LookAlike::point);
    if (row != std::end(kLeet)) point = static_cast<char32_t>(row->letter);
  }
  return out;
}

}  // namespace falconer::policy
