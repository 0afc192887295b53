#include "base/hex.h"

#include <gtest/gtest.h>

namespace falconer {
namespace {

TEST(HexTest, WritesBytesInEitherCase) {
  constexpr std::uint8_t kBytes[] = {0x00, 0x0f, 0xa5, 0xff};
  EXPECT_EQ(ToHex(kBytes), "000fa5ff");
  EXPECT_EQ(ToHex(kBytes, HexCase::kUpper), "000FA5FF");
  EXPECT_EQ(ToHex({}), "");
}

TEST(HexTest, ReadsDigitsOfEitherCase) {
  EXPECT_EQ(ByteOfHex("00"), 0x00);
  EXPECT_EQ(ByteOfHex("aF"), 0xAF);
  EXPECT_EQ(ByteOfHex("7fzz"), 0x7F);
  for (const char* bad : {"", "a", "g0", "0g", "0x", " 1", "-1", "\xFF\xFF"}) {
    EXPECT_FALSE(ByteOfHex(bad)) << bad;
  }
}

TEST(HexTest, KnowsOnlyLowerCaseAsWritten) {
  EXPECT_TRUE(IsHex("0123456789abcdef"));
  EXPECT_TRUE(IsHex(""));
  EXPECT_FALSE(IsHex("AB"));
  EXPECT_FALSE(IsHex("0x1"));
}

}  // namespace
}  // namespace falconer
