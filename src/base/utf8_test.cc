#include "base/utf8.h"

#include <gtest/gtest.h>

namespace falconer {
namespace {

TEST(Utf8Test, TakesWellFormedText) {
  for (const std::string_view text : {"", "ascii", "\xC2\x80", "é€😀", "\xEF\xBF\xBF",
                                      "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(IsValidUtf8(text)) << text;
  }
}

TEST(Utf8Test, RefusesEveryMalformedForm) {
  for (const std::string_view text :
       {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80",
        "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF", "\xC3", "\xE2\x82",
        "\xF0\x9F\x98", "\xE2\x28\xA1", "\xF0\x9F\x28\x80", "ok\xFF"}) {
    EXPECT_FALSE(IsValidUtf8(text)) << text;
  }
}

TEST(Utf8Test, CountsCodePoints) {
  EXPECT_EQ(Utf8Length("a\u00e9\u20ac\U0001F600"), 4U);
  EXPECT_EQ(Utf8Length(""), 0U);
}

TEST(Utf8Test, CutsBetweenCharacters) {
  const std::string_view text = "a\u00e9\u20ac\U0001F600";  // 1, 2, 3 and 4 bytes
  const std::size_t kept[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t most = 0; most < std::size(kept); ++most) {
    EXPECT_EQ(Utf8Prefix(text, most), text.substr(0, kept[most])) << most;
  }
}

TEST(Utf8Test, MendsWhatIsNoCharacter) {
  EXPECT_EQ(MendedUtf8("a\u00e9\u20ac\U0001F600"), "a\u00e9\u20ac\U0001F600");
  EXPECT_EQ(MendedUtf8("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(MendedUtf8("\xE2\x82"), "\uFFFD\uFFFD") << "a character that was cut off";
  EXPECT_EQ(MendedUtf8("\xED\xA0\x80\u00e9"), "\uFFFD\uFFFD\uFFFD\u00e9") << "a surrogate";
}

}  // namespace
}  // namespace falconer
