#include "model/token_estimate.h"

#include "base/text.h"

namespace falconer::model {
namespace {

// Prices are in hundredths of a token. They were fitted to o200k_base over page states, prose,
// markup, code, lock files, random hexadecimal and base64, and eight languages.
constexpr std::size_t kToken = 100;
constexpr std::size_t kLettersOfFirstToken = 6;
constexpr std::size_t kLettersOfFurtherToken = 4;
constexpr std::size_t kLettersBesideDigits = 2;  // parts of ids, which no vocabulary holds
constexpr std::size_t kLongestIdPart = 12;
constexpr std::size_t kLongWord = 12;  // compounds, which no vocabulary holds either
constexpr std::size_t kLettersOfCompound = 3;
constexpr std::size_t kPricePerCapital = 35;  // in words of capitals: NAMES_OF_CODES
constexpr std::size_t kPricePerCode = 100;    // in short or mixed ones: parts of base64
constexpr std::size_t kShortestCapitals = 5;
constexpr std::size_t kDigitsPerToken = 3;
constexpr std::size_t kMarksPerToken = 3;
constexpr std::size_t kSpacesPerToken = 64;

// Beyond ASCII, by the first byte of the character.
struct ScriptRow {
  unsigned char from;  // first byte from here on
  std::size_t length;  // bytes of the character
  std::size_t price;
};
constexpr ScriptRow kScripts[] = {
    {0xF0, 4, 300},  // emoji and rare scripts
    {0xE0, 3, 100},  // Indic to CJK
    {0xCE, 2, 60},   // Greek, Cyrillic, Hebrew, Arabic
    {0x80, 2, 100},  // accented Latin breaks words
};

constexpr std::size_t PiecesOf(std::size_t length, std::size_t per_token) {
  return (length + per_token - 1) / per_token;
}

bool IsAscii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}
bool IsMark(char c) {
  return IsAscii(c) && !IsLetter(c) && !IsDigit(c) && !IsSpace(c);
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t Price() {
    std::size_t price = 0;
    while (at_ < text_.size()) price += NextPiece();
    return price;
  }

 private:
  std::size_t NextPiece() {
    const char c = text_[at_];
    if (!IsAscii(c)) return Character(static_cast<unsigned char>(c));
    if (IsLetter(c)) return Word();
    if (IsDigit(c)) return kToken * PiecesOf(Run(IsDigit), kDigitsPerToken);
    if (IsSpace(c)) return Spaces();
    return kToken * PiecesOf(Run(IsMark), kMarksPerToken);
  }

  std::size_t Run(bool (*belongs)(char)) {
    const std::size_t start = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return at_ - start;
  }

  std::size_t Character(unsigned char first) {
    for (const ScriptRow& row : kScripts) {
      if (first < row.from) continue;
      at_ += row.length;
      return row.price;
    }
    return kToken;
  }

  std::size_t Word() {
    const bool after_digit = at_ > 0 && IsDigit(text_[at_ - 1]);
    const std::size_t capitals = Run(IsUpper);
    const std::size_t length = capitals + Run(IsLower);
    const bool before_digit = at_ < text_.size() && IsDigit(text_[at_]);
    if ((after_digit || before_digit) && length < kLongestIdPart)
      return kToken * PiecesOf(length, kLettersBesideDigits);
    if (capitals > 1) return PriceOfCapitals(capitals, length);
    return PriceOfWord(length);
  }

  static std::size_t PriceOfCapitals(std::size_t capitals, std::size_t length) {
    const bool is_word = capitals == length && length >= kShortestCapitals;
    return kToken + (is_word ? kPricePerCapital : kPricePerCode) * (length - 1);
  }

  static std::size_t PriceOfWord(std::size_t length) {
    if (length <= kLettersOfFirstToken) return kToken;
    const std::size_t per_token = length < kLongWord ? kLettersOfFurtherToken : kLettersOfCompound;
    return kToken + kToken * PiecesOf(length - kLettersOfFirstToken, per_token);
  }

  // A single space belongs to the piece behind it, unless that is a number.
  std::size_t Spaces() {
    const bool is_plain = text_[at_] == ' ';
    const std::size_t length = Run(IsSpace);
    const bool joins = is_plain && length == 1 && at_ < text_.size() && !IsDigit(text_[at_]);
    return joins ? 0 : kToken * (1 + length / kSpacesPerToken);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::size_t EstimateTokens(std::string_view utf8) {
  return PiecesOf(Scanner(utf8).Price(), kToken);
}

}  // namespace falconer::model
