#include "app/doctor/doctor_limits.h"

#include <sys/resource.h>

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

using enum Health;

TEST(DoctorLimitsTest, JudgesEveryLimitAndNamesACureThatIsAllowed) {
  for (const LimitRow& row : AllLimits()) {
    const Limit raisable{.soft = row.least - 1, .hard = row.enough};
    const Limit fixed{.soft = row.least - 1, .hard = row.least - 1};

    EXPECT_EQ(JudgeLimit(row, {row.enough, row.enough}).health, kOk) << row.in_shell;
    EXPECT_EQ(JudgeLimit(row, {RLIM_INFINITY, RLIM_INFINITY}).health, kOk) << row.in_shell;
    EXPECT_EQ(JudgeLimit(row, raisable).health, kFail) << row.in_shell;
    EXPECT_TRUE(JudgeLimit(row, raisable).cure.ends_with(row.in_shell));
    EXPECT_TRUE(JudgeLimit(row, fixed).cure.starts_with("as root")) << row.in_shell;
    EXPECT_TRUE(JudgeLimit(row, fixed).cure.ends_with(row.as_root));
  }
}

TEST(DoctorLimitsTest, WarnsBetweenEnoughAndTooLittle) {
  const LimitRow& files = AllLimits().front();

  EXPECT_EQ(JudgeLimit(files, {512, 512}).health, kWarn);
  EXPECT_EQ(JudgeLimit(files, {512, 512}).detail, "512 files may be open at once");
}

TEST(DoctorLimitsTest, JudgesMemory) {
  constexpr std::uint64_t kMebibyte = 1 << 20;

  EXPECT_EQ(JudgeMemory(4096 * kMebibyte).health, kOk);
  EXPECT_EQ(JudgeMemory(300 * kMebibyte).health, kWarn);
  EXPECT_EQ(JudgeMemory(60 * kMebibyte).health, kFail);
  EXPECT_EQ(JudgeMemory(60 * kMebibyte).detail, "60 MiB available");
}

}  // namespace
}  // namespace falconer::app
