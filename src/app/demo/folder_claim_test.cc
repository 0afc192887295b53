#include "app/demo/folder_claim.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::app {
namespace {

class FolderClaimTest : public testing::Test {
 protected:
  void Leave(std::string_view name) {
    ASSERT_TRUE(std::filesystem::create_directory(folder_.path() / name));
    ASSERT_TRUE(WriteFileAtomic(folder_.path() / name / "half", "x"));
  }
  bool IsThere(std::string_view name) const {
    return std::filesystem::exists(folder_.path() / name);
  }

  TempDir folder_ = TempDir::Create("falconer-claim-test-").value();
};

TEST_F(FolderClaimTest, RemovesLeftoversWhenNobodyUsesTheFolder) {
  Leave(".incoming_1");
  Leave("incoming");

  EXPECT_TRUE(ClaimFolder(folder_.path()));

  EXPECT_FALSE(IsThere(".incoming_1"));
  EXPECT_TRUE(IsThere("incoming")) << "no other folder is touched";
}

TEST_F(FolderClaimTest, LeavesEverythingWhileSomebodyUsesTheFolder) {
  const UniqueFd first = ClaimFolder(folder_.path());
  Leave(".incoming_1");

  UniqueFd second = ClaimFolder(folder_.path());
  EXPECT_TRUE(second);
  EXPECT_TRUE(IsThere(".incoming_1"));
}

TEST_F(FolderClaimTest, FollowsNoLinks) {
  const TempDir other = TempDir::Create("falconer-claim-test-").value();
  ASSERT_TRUE(WriteFileAtomic(other.path() / "kept", "x"));
  std::filesystem::create_directory_symlink(other.path(), folder_.path() / ".incoming_1");

  EXPECT_TRUE(ClaimFolder(folder_.path()));

  EXPECT_TRUE(std::filesystem::exists(other.path() / "kept"));
}

TEST_F(FolderClaimTest, SurvivesAFolderThatIsNotThere) {
  EXPECT_FALSE(ClaimFolder(folder_.path() / "missing"));
}

}  // namespace
}  // namespace falconer::app
