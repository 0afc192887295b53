#include "base/suggest.h"

#include <vector>

#include <gtest/gtest.h>

namespace falconer {
namespace {

const std::vector<std::string> kKnown = {"demo", "doctor", "config", "version"};

TEST(SuggestTest, CountsTheSlipsOfAFinger) {
  EXPECT_EQ(EditDistance("demo", "demo"), 0U);
  EXPECT_EQ(EditDistance("demo", "demoo"), 1U);
  EXPECT_EQ(EditDistance("demo", "deno"), 1U);
  EXPECT_EQ(EditDistance("demo", "dmeo"), 1U);
  EXPECT_EQ(EditDistance("", "demo"), 4U);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
}

TEST(SuggestTest, FindsTheWordThatWasMeant) {
  EXPECT_EQ(Closest("dcotor", kKnown), "doctor");
  EXPECT_EQ(Closest("configg", kKnown), "config");
  EXPECT_EQ(Closest("vers", kKnown), "version");
}

TEST(SuggestTest, DoesNotGuessWildly) {
  EXPECT_EQ(Closest("frobnicate", kKnown), std::nullopt);
  EXPECT_EQ(Closest("", kKnown), std::nullopt);
  EXPECT_EQ(Closest("demo", {}), std::nullopt);
  EXPECT_EQ(Closest(std::string(100'000, 'x'), kKnown), std::nullopt);
}

TEST(SuggestTest, DoesNotChooseBetweenEquals) {
  const std::vector<std::string> known = {"state.max_texts", "state.max_forms"};
  EXPECT_EQ(Closest("state.", known), std::nullopt);
}

}  // namespace
}  // namespace falconer
