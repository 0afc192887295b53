#include "base/check.h"

#include <gtest/gtest.h>

namespace falconer {
namespace {

TEST(CheckTest, PassesWhatHolds) {
  CHECK(1 + 1 == 2, "arithmetic");
}

TEST(CheckDeathTest, SaysWhereAndWhyAndEnds) {
  EXPECT_DEATH(CHECK(1 == 2, "one is not two"), "check_test.cc:.*check failed: one is not two");
}

}  // namespace
}  // namespace falconer
