#include "cdp/browser_folder.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

namespace falconer::cdp {
namespace {

// Temporary folders go to a place of our own.
class BrowserFolderTest : public ::testing::Test {
 protected:
  BrowserFolderTest() : base_(*TempDir::Create("falconer-test-")) {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", base_.path().c_str(), 1);
  }
  ~BrowserFolderTest() override {
    if (before_) {
      ::setenv("TMPDIR", before_->c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }

  std::filesystem::path Make(const std::string& name) const {
    std::filesystem::create_directories(base_.path() / name / "profile");
    return base_.path() / name;
  }

  TempDir base_;
  std::optional<std::string> before_;
};

TEST_F(BrowserFolderTest, GoesWithItsOwner) {
  std::filesystem::path path;
  {
    const auto folder = BrowserFolder::Create();
    ASSERT_TRUE(folder) << folder.error().message();
    path = folder->path();
    EXPECT_TRUE(std::filesystem::is_directory(folder->temp()));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(BrowserFolderTest, RemovesWhatAKilledOwnerLeft) {
  const auto abandoned = Make("falconer-browser-dead");
  std::ofstream(abandoned / "owner").put('\n');
  RemoveAbandonedFolders();
  EXPECT_FALSE(std::filesystem::exists(abandoned));
}

TEST_F(BrowserFolderTest, RemovesAnOldFolderThatNobodyClaims) {
  const auto abandoned = Make("falconer-browser-old");
  std::filesystem::last_write_time(
      abandoned, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  RemoveAbandonedFolders();
  EXPECT_FALSE(std::filesystem::exists(abandoned));
}

TEST_F(BrowserFolderTest, KeepsWhatIsInUse) {
  const auto folder = BrowserFolder::Create();
  ASSERT_TRUE(folder) << folder.error().message();
  RemoveAbandonedFolders();
  EXPECT_TRUE(std::filesystem::exists(folder->path()));
}

TEST_F(BrowserFolderTest, KeepsWhatIsNotYetClaimedOrNotOurs) {
  const auto fresh = Make("falconer-browser-new");
  const auto other = Make("somebody-else");
  std::ofstream(other / "owner").put('\n');
  const auto target = Make("target");
  std::ofstream(target / "owner").put('\n');
  std::filesystem::create_directory_symlink(target, base_.path() / "falconer-browser-link");
  RemoveAbandonedFolders();
  EXPECT_TRUE(std::filesystem::exists(fresh));
  EXPECT_TRUE(std::filesystem::exists(other));
  EXPECT_TRUE(std::filesystem::exists(target / "owner"));
}

TEST_F(BrowserFolderTest, IsNeverTakenForAbandonedWhileItIsMade) {
  std::atomic<bool> is_over = false;
  std::jthread cleaner([&] {
    while (!is_over) RemoveAbandonedFolders();
  });
  for (int i = 0; i < 200; ++i) {
    const auto folder = BrowserFolder::Create();
    EXPECT_TRUE(folder) << folder.error().message();
    if (!folder || !std::filesystem::exists(folder->temp())) {
      ADD_FAILURE() << "taken away in round " << i;
      break;
    }
  }
  is_over = true;
}

}  // namespace
}  // namespace falconer::cdp
