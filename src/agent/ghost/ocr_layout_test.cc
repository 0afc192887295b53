// Reading order from nothing but places.
#include "agent/ghost/ocr_layout.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

// Words of a line, each letter 8 wide and 16 high.
void Write(std::vector<OcrWord>& words, std::string_view text, double x, double y) {
  std::istringstream in{std::string(text)};
  for (std::string word; in >> word;) {
    const double width = 8.0 * static_cast<double>(word.size());
    words.push_back({.text = word, .box = {x, y, width, 16}, .confidence = 95});
    x += width + 6;
  }
}

std::string Arranged(std::vector<OcrWord> words) {
  // However they came.
  std::ranges::reverse(words);
  return LayoutText(InReadingOrder(std::move(words)));
}

TEST(OcrLayoutTest, ParagraphsOfOneColumn) {
  std::vector<OcrWord> words;
  Write(words, "A heading", 0, 0);
  Write(words, "One line of a text", 0, 60);
  Write(words, "and another of it", 0, 84);
  Write(words, "and one more of it", 0, 108);
  Write(words, "The next paragraph", 0, 156);

  EXPECT_EQ(Arranged(words),
            "A heading\n\nOne line of a text\nand another of it\nand one more of it\n\nThe next "
            "paragraph\n");
}

TEST(OcrLayoutTest, ColumnsOfSentencesAreReadOneAfterTheOther) {
  std::vector<OcrWord> words;
  Write(words, "A heading over both of the columns here", 0, 0);
  for (int i = 0; i < 4; ++i) {
    Write(words, "left goes on and on", 0, 60 + i * 24);
    // Some on the same lines, some between them.
    Write(words, "right goes on and on", 300, 60 + i * 27);
  }
  Write(words, "left ends here by itself", 0, 60 + 4 * 24 + 8);

  const std::string text = Arranged(words);

  EXPECT_TRUE(text.starts_with("A heading over")) << text;
  EXPECT_LT(text.find("left ends"), text.find("right goes")) << text;
  EXPECT_FALSE(text.contains("|")) << text;
}

TEST(OcrLayoutTest, RowsOfATableStayRows) {
  std::vector<OcrWord> words;
  for (int i = 0; i < 3; ++i) {
    Write(words, "Shaft seal", 0, i * 40);
    Write(words, "Ceramic", 200, i * 40 + 2);
    Write(words, "7.20", 400, i * 40 + 1);
  }
  Write(words, "All prices are net and none of them includes transport to you", 0, 150);

  EXPECT_EQ(Arranged(words),
            "Shaft seal | Ceramic | 7.20\nShaft seal | Ceramic | 7.20\nShaft seal | Ceramic | "
            "7.20\n\nAll prices are net and none of them includes transport to you\n");
}

TEST(OcrLayoutTest, TermsStandBesideWhatIsSaidOfThem) {
  std::vector<OcrWord> words;
  for (int i = 0; i < 3; ++i) {
    Write(words, "06:15 regional", 0, i * 26);
    Write(words, "stops at every station to the border", 240, i * 26);
  }

  EXPECT_TRUE(Arranged(words).starts_with("06:15 regional | stops at every station"));
}

TEST(OcrLayoutTest, AMenuBesideAnArticleIsReadByItself) {
  std::vector<OcrWord> words;
  for (int i = 0; i < 5; ++i) Write(words, "Menu", 0, i * 37);
  for (int i = 0; i < 8; ++i) Write(words, "the article goes on and on", 200, i * 24);

  const std::string text = Arranged(words);

  EXPECT_LT(text.rfind("Menu"), text.find("article")) << text;
}

TEST(OcrLayoutTest, NothingAndOneWord) {
  EXPECT_TRUE(InReadingOrder({}).empty());
  std::vector<OcrWord> words;
  Write(words, "Alone", 5, 5);
  EXPECT_EQ(Arranged(words), "Alone\n");
}

}  // namespace
}  // namespace falconer::agent
