#include "model/text.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(TextTest, TrimsBothEndsOnly) {
  EXPECT_EQ(Trim(" \t a b\n"), "a b");
  EXPECT_EQ(Trim("   "), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(TextTest, LowersAsciiOnly) {
  EXPECT_EQ(ToLower("ÄBC-9z"), "Äbc-9z");
}

TEST(TextTest, ParsesWholeNumbersOnly) {
  EXPECT_EQ(ParseInt("0"), 0);
  EXPECT_EQ(ParseInt("-12"), -12);
  for (const char* bad : {"", " 1", "1 ", "+1", "1.5", "0x1", "99999999999", "a"}) {
    EXPECT_FALSE(ParseInt(bad)) << bad;
  }
}

TEST(TextTest, KnowsWellFormedUtf8) {
  for (const char* good : {"", "a", "ä", "€", "😀", "\u07FF", "\uD7FF", "\uE000", "\U0010FFFF"}) {
    EXPECT_TRUE(IsValidUtf8(good)) << good;
  }
  for (const char* bad :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "a\xE2\x82", "\xE2\x82z"}) {
    EXPECT_FALSE(IsValidUtf8(bad)) << testing::PrintToString(bad);
  }
}

TEST(TextTest, CountsCodePoints) {
  EXPECT_EQ(Utf8Length("aä€😀"), 4U);
}

TEST(TextTest, NeverCutsACodePoint) {
  EXPECT_EQ(Utf8Prefix("a€b", 1), "a");
  EXPECT_EQ(Utf8Prefix("a€b", 2), "a");
  EXPECT_EQ(Utf8Prefix("a€b", 3), "a");
  EXPECT_EQ(Utf8Prefix("a€b", 4), "a€");
  EXPECT_EQ(Utf8Prefix("a€b", 99), "a€b");
  EXPECT_EQ(Utf8Prefix("€", 0), "");
}

TEST(TextTest, FindsControlCharacters) {
  EXPECT_FALSE(HasControl("a\tb\r\nc ä"));
  EXPECT_TRUE(HasControl(std::string_view("a\0b", 3)));
  EXPECT_TRUE(HasControl("\x1b[0m"));
  EXPECT_TRUE(HasControl("\x7f"));
}

}  // namespace
}  // namespace falconer::model
