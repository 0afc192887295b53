#include "base/random.h"

#include <set>

#include <gtest/gtest.h>

namespace falconer {
namespace {

TEST(RandomTest, GivesHexDigitsOfTheAskedLength) {
  EXPECT_EQ(RandomHex(0), "");
  EXPECT_EQ(RandomBytes(7).size(), 7U);
  EXPECT_NE(RandomBytes(16), RandomBytes(16));
  EXPECT_EQ(RandomHex(5).size(), 10U);
  EXPECT_EQ(RandomId().size(), 32U);
  EXPECT_EQ(RandomHex(1000).find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(RandomTest, NeverRepeats) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(RandomId());

  EXPECT_EQ(seen.size(), 1000U);
}

}  // namespace
}  // namespace falconer
