#include "browser/context/download_folder.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::browser {
namespace {

class DownloadFolderTest : public testing::Test {
 protected:
  void Leave(std::string_view name) {
    ASSERT_TRUE(std::filesystem::create_directory(folder_.path() / name));
    ASSERT_TRUE(WriteFileAtomic(folder_.path() / name / "half", "x"));
  }
  bool IsThere(std::string_view name) const {
    return std::filesystem::exists(folder_.path() / name);
  }

  TempDir folder_ = TempDir::Create("falconer-download-test-").value();
};

TEST_F(DownloadFolderTest, RemovesLeftoversWhenNobodyUsesTheFolder) {
  Leave(".incoming_1");
  Leave("incoming");

  EXPECT_TRUE(ClaimDownloadFolder(folder_.path()));

  EXPECT_FALSE(IsThere(".incoming_1"));
  EXPECT_TRUE(IsThere("incoming")) << "no other folder is touched";
}

TEST_F(DownloadFolderTest, LeavesEverythingWhileSomebodyUsesTheFolder) {
  const UniqueFd first = ClaimDownloadFolder(folder_.path());
  Leave(".incoming_1");

  UniqueFd second = ClaimDownloadFolder(folder_.path());
  EXPECT_TRUE(second);
  EXPECT_TRUE(IsThere(".incoming_1"));
}

TEST_F(DownloadFolderTest, FollowsNoLinks) {
  const TempDir other = TempDir::Create("falconer-download-test-").value();
  ASSERT_TRUE(WriteFileAtomic(other.path() / "kept", "x"));
  std::filesystem::create_directory_symlink(other.path(), folder_.path() / ".incoming_1");

  EXPECT_TRUE(ClaimDownloadFolder(folder_.path()));

  EXPECT_TRUE(std::filesystem::exists(other.path() / "kept"));
}

TEST_F(DownloadFolderTest, SurvivesAFolderThatIsNotThere) {
  EXPECT_FALSE(ClaimDownloadFolder(folder_.path() / "missing"));
}

}  // namespace
}  // namespace falconer::browser
