#include "model/fold_text.h"

#include <gtest/gtest.h>

namespace falconer::model {
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

}  // namespace
}  // namespace falconer::model
