#include "base/percent.h"

#include <gtest/gtest.h>

namespace falconer {
namespace {

using namespace std::string_literals;

TEST(PercentTest, EscapesAllButLettersDigitsAndWhatIsKept) {
  EXPECT_EQ(PercentEncoded("aZ09-_.~"), "aZ09-_.~");
  EXPECT_EQ(PercentEncoded("a b/c?\xC3\xA4"), "a%20b%2Fc%3F%C3%A4");
  EXPECT_EQ(PercentEncoded("a/b-c", {.kept = "/"}), "a/b%2Dc");
  EXPECT_EQ(PercentEncoded("\0%\xFF"s), "%00%25%FF");
  EXPECT_EQ(PercentEncoded(""), "");
}

TEST(PercentTest, WritesDigitsAndSpacesAsTheFormSays) {
  EXPECT_EQ(PercentEncoded("/\xAB", {.letters = HexCase::kLower}), "%2f%ab");
  EXPECT_EQ(PercentEncoded("a b+c", {.space = SpaceForm::kPlus}), "a+b%2Bc");
}

TEST(PercentTest, DecodesEitherCaseAndZero) {
  EXPECT_EQ(PercentDecoded("%2f%2F%c3%A4"), "//\xC3\xA4");
  EXPECT_EQ(PercentDecoded("a%00b"), "a\0b"s);
  EXPECT_EQ(PercentDecoded("%25%32%30"), "%20");  // once, not twice
  EXPECT_EQ(PercentDecoded("a+b"), "a+b");
}

TEST(PercentTest, LeavesWhatIsNoEscapeOrRefusesIt) {
  for (const char* bad : {"%", "%4", "%g1", "%1g", "%%", "a%", "%0x", "% 1", "100% of"}) {
    EXPECT_EQ(PercentDecoded(bad), bad);
    EXPECT_FALSE(ParsePercent(bad)) << bad;
  }
  EXPECT_EQ(PercentDecoded("%%41"), "%A");
  EXPECT_FALSE(ParsePercent("%41%zz"));
}

TEST(PercentTest, ParsesWhatIsEscapedRight) {
  EXPECT_EQ(ParsePercent("/a%20b%00"), "/a b\0"s);
  EXPECT_EQ(ParsePercent(""), "");
}

TEST(PercentTest, ReadsSpacesOfForms) {
  EXPECT_EQ(FormDecoded("a+b%2Bc%zz"), "a b+c%zz");
}

TEST(PercentTest, EveryByteComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(PercentDecoded(PercentEncoded(all, {.kept = ""})), all);
  EXPECT_EQ(FormDecoded(PercentEncoded(all, {.space = SpaceForm::kPlus})), all);
}

}  // namespace
}  // namespace falconer
