#include "base/text.h"

#include <string>

#include <gtest/gtest.h>

namespace falconer {
namespace {

std::string AllThatAre(bool (*is_one)(char)) {
  std::string found;
  for (int byte = 0; byte < 256; ++byte) {
    if (is_one(static_cast<char>(byte))) found += static_cast<char>(byte);
  }
  return found;
}

TEST(TextTest, KnowsTheClassesOfAsciiAndNothingBeyond) {
  EXPECT_EQ(AllThatAre(IsSpace), "\t\n\v\f\r ");
  EXPECT_EQ(AllThatAre(IsDigit), "0123456789");
  EXPECT_EQ(AllThatAre(IsUpper), "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  EXPECT_EQ(AllThatAre(IsLower), "abcdefghijklmnopqrstuvwxyz");
  EXPECT_EQ(AllThatAre(IsLetter), AllThatAre(IsUpper) + AllThatAre(IsLower));
  EXPECT_EQ(AllThatAre(IsLetterOrDigit), AllThatAre(IsDigit) + AllThatAre(IsLetter));
}

TEST(TextTest, TrimsBothEndsOnly) {
  EXPECT_EQ(Trim(" \t a b\n"), "a b");
  EXPECT_EQ(Trim("   "), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(TextTest, ChangesTheCaseOfAsciiOnly) {
  EXPECT_EQ(ToLower("ÄBC-9z[@`{"), "Äbc-9z[@`{");
  EXPECT_EQ(ToUpper("äbc-9Z[@`{"), "äBC-9Z[@`{");
}

TEST(TextTest, ComparesWithoutTheCaseOfLetters) {
  EXPECT_TRUE(IsSameWord("Content-Type", "cONTENT-tYPE"));
  EXPECT_TRUE(IsSameWord("", ""));
  EXPECT_FALSE(IsSameWord("a", "ab"));
  EXPECT_FALSE(IsSameWord("a[", "a{"));
  EXPECT_FALSE(IsSameWord("Ä", "ä"));
}

TEST(TextTest, ParsesWholeNumbersOnly) {
  EXPECT_EQ(ParseWhole("0"), 0);
  EXPECT_EQ(ParseWhole<int>("-12"), -12);
  for (const char* bad : {"", " 1", "1 ", "+1", "1.5", "0x1", "99999999999", "a", "7x"}) {
    EXPECT_FALSE(ParseWhole<int>(bad)) << bad;
  }
}

TEST(TextTest, ParsesOnlyWhatFits) {
  EXPECT_EQ(ParseWhole("99999999999"), 99999999999);
  EXPECT_EQ(ParseWhole<std::uint16_t>("65535"), 65535);
  EXPECT_FALSE(ParseWhole<std::uint16_t>("65536"));
  EXPECT_FALSE(ParseWhole<std::uint64_t>("-1"));
}

TEST(TextTest, FindsControlCharacters) {
  EXPECT_FALSE(HasControl("a\tb\r\nc ä"));
  EXPECT_TRUE(HasControl(std::string_view("a\0b", 3)));
  EXPECT_TRUE(HasControl("\x1b[0m"));
  EXPECT_TRUE(HasControl("\x7f"));
}

}  // namespace
}  // namespace falconer
