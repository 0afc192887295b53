#include "model/text.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(TextTest, TrimsBothEndsOnly) {
  EXPECT_EQ(Trim(" \t a b\n"), "a b");
  EXPECT_EQ(Trim("   "), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(TextTest, ChangesTheCaseOfAsciiOnly) {
  EXPECT_EQ(ToLower("ÄBC-9z"), "Äbc-9z");
  EXPECT_EQ(ToUpper("äbc-9Z"), "äBC-9Z");
}

TEST(TextTest, ParsesWholeNumbersOnly) {
  EXPECT_EQ(ParseInt("0"), 0);
  EXPECT_EQ(ParseInt("-12"), -12);
  for (const char* bad : {"", " 1", "1 ", "+1", "1.5", "0x1", "99999999999", "a"}) {
    EXPECT_FALSE(ParseInt(bad)) << bad;
  }
}

TEST(TextTest, CountsCodePoints) {
  EXPECT_EQ(Utf8Length("aä€😀"), 4U);
}

TEST(TextTest, FindsControlCharacters) {
  EXPECT_FALSE(HasControl("a\tb\r\nc ä"));
  EXPECT_TRUE(HasControl(std::string_view("a\0b", 3)));
  EXPECT_TRUE(HasControl("\x1b[0m"));
  EXPECT_TRUE(HasControl("\x7f"));
}

}  // namespace
}  // namespace falconer::model
