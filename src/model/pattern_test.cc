#include "model/pattern.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

struct MatchCase {
  PatternMode mode;
  std::string_view pattern;
  std::string_view subject;
  bool matches;
};

using enum PatternMode;

constexpr MatchCase kPatternCases[] = {
    {kGlob, "https://x.test/*", "https://x.test/a", true},
    {kGlob, "https://x.test/*", "https://x.test/", true},
    {kGlob, "https://x.test/*", "https://x.test/a/b", false},
    {kGlob, "https://x.test/**", "https://x.test/a/b", true},
    {kGlob, "**/done", "https://x.test/a/done", true},
    {kGlob, "**/done", "https://x.test/a/done?x=1", false},
    {kGlob, "**/done?x=?", "https://x.test/done?x=1", true},
    {kGlob, "a?c", "abc", true},
    {kGlob, "a?c", "a/c", false},
    {kGlob, "a?c", "aäc", true},
    {kGlob, "a?c", "ac", false},
    {kGlob, "ä*", "äöü", true},
    {kGlob, "a.c", "abc", false},
    {kGlob, "a(b|c)+$", "a(b|c)+$", true},
    {kGlob, "a\\*b", "a*b", true},
    {kGlob, "a\\*b", "axb", false},
    {kGlob, "a\\", "a\\", true},
    {kGlob, "***", "x/y", true},
    {kGlob, "a**b", "a\nb", true},
    {kRegex, "/api/v\\d+", "https://x.test/api/v2/users", true},
    {kRegex, "^/api", "https://x.test/api", false},
    {kRegex, "(?i)LOGIN", "x/login", true},
    {kExact, "a*b", "a*b", true},
    {kExact, "a*b", "axb", false},
    {kExact, "a", "A", false},
    {kSubstring, ".test/", "https://x.test/a", true},
    {kSubstring, "x", "abc", false},
};

TEST(PatternTest, MatchesByItsMode) {
  for (const MatchCase& row : kPatternCases) {
    const auto pattern = Pattern::Compile(row.pattern, row.mode);
    ASSERT_TRUE(pattern) << row.pattern << ": " << Describe(pattern.error());
    EXPECT_EQ(pattern->Matches(row.subject), row.matches) << row.pattern << " on " << row.subject;
  }
}

TEST(PatternTest, RefusesWhatIsNoPattern) {
  const std::pair<PatternMode, std::string> bad[] = {
      {kGlob, ""},          {kExact, ""},
      {kRegex, "a("},       {kRegex, "(?=a)b"},
      {kRegex, "(a)\\1"},   {kRegex, "a{1000}{1000}"},
      {kSubstring, "\xff"}, {kGlob, std::string(kMaxPatternLength + 1, 'a')},
  };
  for (const auto& [mode, text] : bad) {
    const auto pattern = Pattern::Compile(text, mode);
    ASSERT_FALSE(pattern) << text;
    EXPECT_EQ(pattern.error().code(), ErrorCode::kInvalidArgument);
  }
}

TEST(PatternTest, TakesLinearTimeOnHostilePatterns) {
  const std::string subject(20'000, 'a');
  const auto regex = Pattern::Compile("(a+)+$|(a|a)*b", kRegex);
  const auto glob = Pattern::Compile("*a*a*a*a*a*a*a*a*b", kGlob);
  ASSERT_TRUE(regex && glob);

  EXPECT_FALSE(regex->Matches(subject + "!"));
  EXPECT_FALSE(glob->Matches(subject));
}

TEST(PatternTest, AnEmptyPatternMatchesNothingButTheEmptyText) {
  EXPECT_TRUE(Pattern().Matches(""));
  EXPECT_FALSE(Pattern().Matches("a"));
}

TEST(PatternTest, CopiesAreEqualAndMatchAlike) {
  const auto pattern = Pattern::Compile("a*", kGlob);
  ASSERT_TRUE(pattern);
  const Pattern copy = *pattern;

  EXPECT_EQ(copy, *pattern);
  EXPECT_TRUE(copy.Matches("ab"));
  EXPECT_NE(copy, *Pattern::Compile("a*", kExact));
}

}  // namespace
}  // namespace falconer::model
