#include "base/file.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace falconer {
namespace {

namespace fs = std::filesystem;

TempDir Folder() {
  Result<TempDir> folder = TempDir::Create("falconer-file-test-");
  EXPECT_TRUE(folder);
  return *std::move(folder);
}

unsigned ModeOf(const fs::path& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

TEST(FileTest, ReadsBackWhatWasWritten) {
  const TempDir folder = Folder();
  for (const std::string& content :
       {std::string(), std::string("a\0b\n", 4), std::string(300000, 'x')}) {
    ASSERT_TRUE(WriteFileAtomic(folder.path() / "f", content));
    const Result<std::string> back = ReadFile(folder.path() / "f");
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(*back, content);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1)
      << "no file is left beside";
  EXPECT_EQ(ModeOf(folder.path() / "f"), 0600U);
}

TEST(FileTest, NamesWhatCannotBeReadOrWritten) {
  const TempDir folder = Folder();
  const Result<std::string> missing = ReadFile(folder.path() / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(missing.error().message().contains("none")) << missing.error().message();

  EXPECT_EQ(ReadFile(folder.path()).error().code(), ErrorCode::kIoError);
  EXPECT_EQ(WriteFileAtomic(folder.path() / "no/such", "x").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(WriteFileAtomic(folder.path(), "x").error().code(), ErrorCode::kIoError);
}

TEST(FileTest, OfSeveralWhoCreateAFileOneDoesAndNobodySeesAPart) {
  const TempDir folder = Folder();
  const fs::path path = folder.path() / "f";
  constexpr std::size_t kSize = 100'000;
  std::atomic<int> created = 0;
  std::atomic<int> refused = 0;
  std::vector<std::jthread> threads;
  for (char c = 'a'; c <= 'f'; ++c) {
    threads.emplace_back([&, c] {
      const auto made = CreateFileAtomic(path, std::string(kSize, c));
      if (made) ++created;
      if (!made && made.error().code() == ErrorCode::kAlreadyExists) ++refused;
      const auto seen = ReadFile(path);
      EXPECT_TRUE(seen);
      EXPECT_EQ(*seen, std::string(kSize, seen->front()));
    });
  }
  threads.clear();
  EXPECT_EQ(created, 1);
  EXPECT_EQ(refused, 5);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1)
      << "no file is left beside";
  EXPECT_EQ(ModeOf(path), 0600U);
  EXPECT_EQ(CreateFileAtomic(folder.path() / "no/such", "x").error().code(), ErrorCode::kNotFound);
}

TEST(TempDirTest, IsPrivateAndGoesWithItsContent) {
  fs::path path;
  {
    const TempDir folder = Folder();
    path = folder.path();
    EXPECT_EQ(ModeOf(path), 0700U);
    fs::create_directories(path / "a/b/c");
    ASSERT_TRUE(WriteFileAtomic(path / "a/b/f", "x"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempDirTest, MovesItsDuty) {
  TempDir first = Folder();
  TempDir second = Folder();
  const fs::path kept = first.path();
  const fs::path gone = second.path();

  second = std::move(first);

  EXPECT_FALSE(fs::exists(gone));
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_EQ(second.path(), kept);
}

TEST(IsOwnFolderTest, FollowsNoLinks) {
  const TempDir folder = Folder();
  ASSERT_TRUE(WriteFileAtomic(folder.path() / "file", "x"));
  fs::create_directory_symlink(folder.path(), folder.path() / "link");

  EXPECT_TRUE(IsOwnFolder(folder.path()));
  EXPECT_FALSE(IsOwnFolder(folder.path() / "file"));
  EXPECT_FALSE(IsOwnFolder(folder.path() / "link"));
  EXPECT_FALSE(IsOwnFolder(folder.path() / "missing"));
}

TEST(TempDirTest, GoesEvenWhileSomebodyStillWrites) {
  fs::path path;
  std::atomic<bool> has_started = false;
  std::jthread writer;
  {
    const TempDir folder = Folder();
    path = folder.path();
    writer = std::jthread([path, &has_started] {
      std::error_code failed;
      for (int i = 0; i < 300 && !failed; ++i) {
        fs::create_directory(path / std::to_string(i), failed);
        has_started = true;
        has_started.notify_all();
      }
    });
    has_started.wait(false);
  }
  writer.join();
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace falconer
