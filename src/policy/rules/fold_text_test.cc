#include "policy/rules/fold_text.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

TEST(FoldTextTest, MakesWordsComparable) {
  EXPECT_EQ(FoldText("  Jetzt  KAUFEN "), "jetzt kaufen");
  EXPECT_EQ(FoldText("LÖSCHEN"), "loschen");
  EXPECT_EQ(FoldText("Straße Ærø Łódź"), "strasse aero lodz");
  EXPECT_EQ(FoldText("Suprımır"), "suprimir");
  EXPECT_EQ(FoldText("ＤＥＬＥＴＥ"), "delete");
  EXPECT_EQ(FoldText("УДАЛИТЬ"), "удалить");
  EXPECT_EQ(FoldText("削除"), "削除");
}

TEST(FoldTextTest, DropsWhatCannotBeSeen) {
  EXPECT_EQ(FoldText("de\u200blete"), "delete");
  EXPECT_EQ(FoldText("de\u00adlete\ufeff"), "delete");
  EXPECT_EQ(FoldText("e\u0301"), "e");
  EXPECT_EQ(FoldText("a\u00a0\u3000b"), "a b");
  EXPECT_EQ(FoldText(std::string("a\x01z", 3)), "az");
}

TEST(FoldTextTest, TakesBrokenBytesForSpaces) {
  EXPECT_EQ(FoldText("a\xff\xfe"
                     "b\xc3"),
            "a b");
}

TEST(GlobTest, CoversTheWholeText) {
  struct Row {
    const char* glob;
    const char* text;
    bool matches;
  };
  constexpr Row kRows[] = {
      {"test-*", "test-1", true},
      {"test-*", "a-test-1", false},
      {"*", "", true},
      {"?", "", false},
      {"a?c", "abc", true},
      {"*a*b*", "xxaxxbxx", true},
      {"*ab", "aab", true},
      {"*ab", "aba", false},
      {"a\\*b", "a*b", true},
      {"a\\*b", "axb", false},
      {"", "", true},
      {"", "a", false},
      {"*.php", "/x/delete.php", true},
      {"a**b", "ab", true},
  };
  for (const Row& row : kRows) EXPECT_EQ(GlobMatches(row.glob, row.text), row.matches) << row.glob;
}

TEST(GlobTest, StaysFastForManyStars) {
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "*a";
  glob += "*b";
  EXPECT_FALSE(GlobMatches(glob, std::string(5000, 'a')));
}

}  // namespace
}  // namespace falconer::policy
