#include "policy/rules/fold_text.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

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
