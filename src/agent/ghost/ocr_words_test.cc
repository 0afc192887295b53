// From the table of words to text that reads like the picture.
#include "agent/ghost/ocr_words.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

constexpr std::string_view kHeaderLine =
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
    "\n";

struct Spot {
  int block = 1;
  int paragraph = 1;
  int line = 1;
  int left = 0;
  double confidence = 96;
};

std::string Row(const Spot& at, std::string_view text) {
  return fmt::format("5\t1\t{}\t{}\t{}\t1\t{}\t{}\t{}\t20\t{}\t{}\n", at.block, at.paragraph,
                     at.line, at.left, at.line * 40, text.size() * 10, at.confidence, text);
}

std::vector<OcrWord> WordsOf(const std::string& rows, double scale = 1) {
  const auto words = ParseOcrTsv(std::string(kHeaderLine) + rows, scale);
  EXPECT_TRUE(words);
  return words.value_or(std::vector<OcrWord>());
}

TEST(OcrWordsTest, BoxesAreInPixelsOfThePage) {
  const auto words =
      WordsOf("4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t\n" + Row({.left = 100}, "Save"), 2);

  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0].text, "Save");
  EXPECT_EQ(words[0].box, (model::Rect{50, 20, 20, 10}));
  EXPECT_DOUBLE_EQ(words[0].confidence, 96);
}

TEST(OcrWordsTest, EdgesAndIconsAreNoWords) {
  const auto words = WordsOf(Row({.confidence = 20}, "|") + Row({.left = 40}, "&") +
                             Row({.left = 80, .confidence = 20}, "x1") + Row({.left = 90}, " "));

  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0].text, "&");
  EXPECT_EQ(words[1].text, "x1");
}

TEST(OcrWordsTest, WhatIsNoTableIsAnError) {
  const auto words = ParseOcrTsv("Error opening data file", 1);

  ASSERT_FALSE(words);
  EXPECT_EQ(words.error().code(), ErrorCode::kExecutionError);
}

TEST(OcrWordsTest, LinesParagraphsAndColumnsStay) {
  const std::string rows = Row({.left = 0}, "One") + Row({.left = 40}, "line") +
                           Row({.line = 2}, "more") + Row({.paragraph = 2}, "Next") +
                           Row({.block = 2, .left = 900}, "right");

  EXPECT_EQ(LayoutText(WordsOf(rows)), "One line\nmore\n\nNext\n\nright\n");
}

TEST(OcrWordsTest, CellsOfATableAreParted) {
  const std::string rows = Row({.left = 0}, "Shaft") + Row({.left = 60}, "seal") +
                           Row({.left = 400}, "7.20") + Row({.line = 2, .left = 0}, "Motor") +
                           Row({.line = 2, .left = 390}, "42.30");

  EXPECT_EQ(LayoutText(WordsOf(rows)), "Shaft seal | 7.20\nMotor | 42.30\n");
}

TEST(OcrWordsTest, IndentedLinesStayIndented) {
  const std::string rows =
      Row({.left = 0}, "for") + Row({.left = 40}, "it:") + Row({.line = 2, .left = 40}, "run");

  EXPECT_EQ(LayoutText(WordsOf(rows)), "for it:\n    run\n");
}

TEST(OcrWordsTest, NothingIsNoText) {
  EXPECT_EQ(LayoutText(WordsOf("")), "");
}

}  // namespace
}  // namespace falconer::agent
