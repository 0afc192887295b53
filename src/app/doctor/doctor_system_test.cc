#include "app/doctor/doctor_system.h"

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

using enum Health;
using browser::SandboxMode;

constexpr std::uint64_t kMiB = 1 << 20;

TEST(DoctorSystemTest, JudgesTheSandbox) {
  struct Case {
    SandboxFacts facts;
    Health expected;
  };
  constexpr Case kCases[] = {
      {{.mode = SandboxMode::kAuto, .has_namespaces = true}, kOk},
      {{.mode = SandboxMode::kAuto, .has_setuid_helper = true}, kOk},
      {{.mode = SandboxMode::kOn, .has_namespaces = true}, kOk},
      {{.mode = SandboxMode::kAuto}, kFail},
      {{.mode = SandboxMode::kAuto, .is_root = true, .has_namespaces = true}, kWarn},
      {{.mode = SandboxMode::kOn, .is_root = true, .has_namespaces = true}, kFail},
      {{.mode = SandboxMode::kOff, .has_namespaces = true}, kWarn},
  };
  for (const Case& one : kCases) {
    const Finding finding = JudgeSandbox(one.facts);
    EXPECT_EQ(finding.health, one.expected) << finding.detail;
    EXPECT_FALSE(finding.detail.empty());
  }
}

TEST(DoctorSystemTest, JudgesSharedMemory) {
  EXPECT_EQ(JudgeSharedMemory(1024 * kMiB).health, kOk);
  EXPECT_EQ(JudgeSharedMemory(63 * kMiB).health, kWarn);
  EXPECT_EQ(JudgeSharedMemory(std::nullopt).health, kWarn);
}

TEST(DoctorSystemTest, JudgesTheClock) {
  using namespace std::chrono;
  const WallTime today = sys_days(year(2026) / 3 / 9);

  EXPECT_EQ(JudgeClock(today, ClockSync::kSynchronised).health, kOk);
  EXPECT_EQ(JudgeClock(today, ClockSync::kUnknown).detail, "2026-03-09 UTC");
  EXPECT_EQ(JudgeClock(today, ClockSync::kFree).health, kWarn);
  EXPECT_EQ(JudgeClock(WallTime(), ClockSync::kSynchronised).health, kFail);
  EXPECT_EQ(JudgeClock(sys_days(year(2222) / 1 / 1), ClockSync::kSynchronised).health, kFail);
}

TEST(DoctorSystemTest, JudgesFonts) {
  EXPECT_EQ(JudgeFonts(0).health, kWarn);
  EXPECT_EQ(JudgeFonts(38).detail, "38 font files");
  EXPECT_EQ(JudgeFonts(1000).detail, "1000 or more font files");
}

}  // namespace
}  // namespace falconer::app
