#include "model/plain_text.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(PlainTextTest, LeavesWhatPeopleSeeAsItIs) {
  for (const std::string_view text : {"", "Buys 2 for 3 €", "日本語", "a\\b", "🙂"}) {
    EXPECT_EQ(PlainLine(text), text);
  }
}

TEST(PlainTextTest, WritesOutWhatWouldForgeAnotherLine) {
  EXPECT_EQ(PlainLine("ok\nRisk: low"), "ok\\u{a}Risk: low");
  EXPECT_EQ(PlainLine("a\r\x1b[2Kb"), "a\\u{d}\\u{1b}[2Kb");
  EXPECT_EQ(PlainLine("a\xE2\x80\xA8"
                      "b"),
            "a\\u{2028}b");
  EXPECT_EQ(PlainLine("a\xC2\x9B"
                      "b"),
            "a\\u{9b}b");
}

TEST(PlainTextTest, WritesOutWhatChangesHowOthersAreSeen) {
  EXPECT_EQ(PlainLine("moc.live\xE2\x80\xAE"), "moc.live\\u{202e}");
  EXPECT_EQ(PlainLine("pay\xE2\x80\x8Bpal"), "pay\\u{200b}pal");
  EXPECT_EQ(PlainLine("\xF3\xA0\x81\x81"), "\\u{e0041}");
}

TEST(PlainTextTest, ATextKeepsItsLinesAndNothingElse) {
  EXPECT_EQ(PlainText("one\ntwo\x1b[2J\r\n\xE2\x80\xA8three"),
            "one\ntwo\\u{1b}[2J\\u{d}\n\\u{2028}three");
}

TEST(PlainTextTest, MendsBytesThatAreNoText) {
  EXPECT_EQ(PlainLine("a\xFF"
                      "b"),
            "a\xEF\xBF\xBD"
            "b");
}

}  // namespace
}  // namespace falconer::model
