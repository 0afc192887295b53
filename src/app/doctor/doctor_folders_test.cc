#include "app/doctor/doctor_folders.h"

#include <gtest/gtest.h>

#include "app/doctor/doctor_facts.h"
#include "base/file.h"

namespace falconer::app {
namespace {

using enum Health;

class DoctorFoldersTest : public testing::Test {
 protected:
  std::filesystem::path there() const { return folder_.path(); }
  std::filesystem::path missing() const { return folder_.path() / "missing"; }

  TempDir folder_ = TempDir::Create("falconer-doctor-test-").value();
};

TEST_F(DoctorFoldersTest, TheTemporaryFolderMustBeThere) {
  EXPECT_EQ(JudgeTemp({"TMPDIR", there()}).health, kOk);

  const Finding named = JudgeTemp({"TMPDIR", missing()});
  EXPECT_EQ(named.health, kFail);
  EXPECT_EQ(named.detail, "TMPDIR names \"" + missing().string() + "\", which is no folder");
  EXPECT_TRUE(named.cure.contains("unset TMPDIR")) << named.cure;

  const Finding of_system = JudgeTemp({"", missing()});
  EXPECT_EQ(of_system.health, kFail);
  EXPECT_TRUE(of_system.cure.starts_with("set TMPDIR")) << of_system.cure;
  EXPECT_EQ(JudgeTemp({"TMPDIR", ""}).health, kFail) << "set and empty is no folder either";
}

TEST_F(DoctorFoldersTest, HomeMattersWhereTheDataIsBelowIt) {
  EXPECT_EQ(JudgeHome(there().string(), there() / "data").health, kOk);
  EXPECT_EQ(JudgeHome(missing().string(), "/elsewhere").health, kOk);
  EXPECT_EQ(JudgeHome(std::nullopt, "/elsewhere").health, kOk);

  const Finding can_be_made = JudgeHome(missing().string(), missing() / "data");
  EXPECT_EQ(can_be_made.health, kWarn);
  EXPECT_EQ(can_be_made.detail, "HOME names \"" + missing().string() + "\", which is no folder");
  EXPECT_TRUE(can_be_made.cure.starts_with("set HOME")) << can_be_made.cure;

  const Finding unset = JudgeHome(std::nullopt, "~/.local/share/falconer");
  EXPECT_EQ(unset.health, kFail);
  EXPECT_TRUE(unset.detail.starts_with("HOME is not set")) << unset.detail;
}

TEST_F(DoctorFoldersTest, OtherFoldersMayBeMadeLater) {
  EXPECT_EQ(JudgeFolder({"data.dir", missing() / "deep"}).health, kOk);

  ASSERT_TRUE(WriteFileAtomic(missing(), "a file"));
  const Finding blocked = JudgeFolder({"data.dir", missing() / "deep"});
  EXPECT_EQ(blocked.health, kFail);
  EXPECT_TRUE(blocked.detail.ends_with(missing().string() + " is no folder")) << blocked.detail;
  EXPECT_EQ(blocked.cure, "set data.dir to a folder that this user may write to");
}

TEST_F(DoctorFoldersTest, JudgesDiskSpaceAndNamesTheFolder) {
  EXPECT_EQ(JudgeDiskSpace("/data", 5000 * kMiB).health, kOk);
  EXPECT_EQ(JudgeDiskSpace("/data", 500 * kMiB).health, kWarn);
  EXPECT_EQ(JudgeDiskSpace("/data", 0).health, kFail);
  EXPECT_EQ(JudgeDiskSpace("/data", 500 * kMiB).detail, "500 MiB free at /data");
  EXPECT_EQ(JudgeDiskSpace("/data", 2560 * kMiB).detail, "2.5 GiB free at /data");
}

}  // namespace
}  // namespace falconer::app
