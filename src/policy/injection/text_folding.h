#pragma once
// Folds a text to the form that patterns are compared in, so that look-alikes, invisible characters
// and spacing do not hide a phrase: lower case, without accents, with compatibility forms (full
// width, mathematical, circled, small capitals) and look-alikes of other scripts as plain letters.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace falconer::policy {

// One word, or one character of a script that has no spaces.
struct FoldedWord {
  std::u32string text;
  std::uint32_t sentence = 0;
  bool is_run = false;  // letters without boundaries: words may begin anywhere
};

struct FoldedText {
  std::vector<FoldedWord> words;
  std::string tagged;        // what invisible tag characters spell
  int inner_invisibles = 0;  // zero-width characters inside of words
  int bidi_controls = 0;
  int mixed_words = 0;   // words whose letters are of two scripts that look alike
  int spaced_words = 0;  // words written l i k e this
};

// Bytes that are no UTF-8 end words.
FoldedText FoldWords(std::string_view text);

// Digits and signs that stand for letters ("1gn0re"), read as letters.
std::u32string WithoutLeet(std::u32string_view word);

bool IsIdeograph(char32_t point);

}  // namespace falconer::policy
