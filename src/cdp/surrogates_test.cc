#include "cdp/surrogates.h"

#include <gtest/gtest.h>

namespace falconer::cdp {
namespace {

struct Case {
  std::string_view text;
  std::string_view repaired;
};

TEST(SurrogatesTest, ReplacesOnlyHalvesWithoutTheirOtherHalf) {
  constexpr Case kCases[] = {
      {R"("plain")", R"("plain")"},
      {R"("\ud83d\ude00")", R"("\ud83d\ude00")"},
      {R"("\uD83D\uDE00")", R"("\uD83D\uDE00")"},
      {R"("\ud800")", R"("\ufffd")"},
      {R"("\udc00")", R"("\ufffd")"},
      {R"("a\ud800b")", R"("a\ufffdb")"},
      {R"("\ude00\ud83d")", R"("\ufffd\ufffd")"},
      {R"("\ud83d\ud83d\ude00")", R"("\ufffd\ud83d\ude00")"},
      {R"("\ud83d\ude00\ude00")", R"("\ud83d\ude00\ufffd")"},
      {R"("\ud800\n")", R"("\ufffd\n")"},
      {R"("\u00e9")", R"("\u00e9")"},
  };
  for (const Case& c : kCases) EXPECT_EQ(WithoutLoneSurrogates(c.text), c.repaired) << c.text;
}

TEST(SurrogatesTest, AnEscapedBackslashIsNoEscape) {
  EXPECT_EQ(WithoutLoneSurrogates(R"("\\ud800")"), R"("\\ud800")");
  EXPECT_EQ(WithoutLoneSurrogates(R"("\\\ud800")"), R"("\\\ufffd")");
}

TEST(SurrogatesTest, CutTextStaysAsItIs) {
  for (const std::string_view text : {"\\", "\\u", "\\ud8", "\\ud80", "", "\\u+123"}) {
    EXPECT_EQ(WithoutLoneSurrogates(text), text);
  }
}

}  // namespace
}  // namespace falconer::cdp
