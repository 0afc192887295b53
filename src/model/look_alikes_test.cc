#include "model/look_alikes.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(LookAlikesTest, LettersOfOtherAlphabetsReadAsWhatTheyLookLike) {
  EXPECT_EQ(WithoutLookAlikes("\u0430nn"), "ann") << "Cyrillic";
  EXPECT_EQ(WithoutLookAlikes("sh\u043e\u0440\u0440\u0435r"), "shopper");
  EXPECT_EQ(WithoutLookAlikes("\u0391nn"), "ann") << "Greek";
  EXPECT_EQ(WithoutLookAlikes("\U0001d41a\U0001d5bbc\U0001d7d7"), "abc9") << "of mathematics";
  EXPECT_EQ(WithoutLookAlikes("\u24b6\u24dd\U0001f13d"), "ann") << "in circles and squares";
}

TEST(LookAlikesTest, EverythingElseStays) {
  for (const char* text : {"", "Ann 01", "M\u00fcller", "\u524a\u9664", "a-b_c@d.example"})
    EXPECT_EQ(WithoutLookAlikes(text), text);
  EXPECT_EQ(WithoutLookAlikes("a\xff"), "a\ufffd");
}

}  // namespace
}  // namespace falconer::model
