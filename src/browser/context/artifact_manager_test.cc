#include "browser/context/artifact_manager.h"

#include <atomic>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/file.h"
#include "browser/context/artifact_folder.h"

namespace falconer::browser {
namespace {

namespace fs = std::filesystem;
using enum ArtifactKind;

const ArtifactOwner kOwner{.tenant = TenantId("acme"), .workflow = WorkflowId("w1")};
const ArtifactOwner kOther{.tenant = TenantId("acme"), .workflow = WorkflowId("w2")};
const ArtifactOwner kStranger{.tenant = TenantId("other"), .workflow = WorkflowId("w1")};

class ArtifactManagerTest : public ::testing::Test {
 protected:
  ArtifactManager Open(std::uint64_t most = 1000) {
    return ArtifactManager({.root = root(), .inbox = inbox(), .max_bytes_per_tenant = most},
                           clock_);
  }
  fs::path root() const { return folder_.path() / "artifacts"; }
  fs::path inbox() const { return folder_.path() / "inbox"; }
  void Put(const fs::path& path, std::string_view content) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }
  // Everything below the root that is not a lock.
  std::size_t Files() const {
    std::size_t files = 0;
    if (!fs::exists(root())) return 0;
    for (const auto& entry : fs::recursive_directory_iterator(root())) {
      if (entry.is_regular_file() && entry.path().filename() != ".lock") ++files;
    }
    return files;
  }

  FakeClock clock_;
  TempDir folder_ = *TempDir::Create("falconer-artifacts-");
};

TEST_F(ArtifactManagerTest, AnUploadIsNamedByItsHashAndDescribed) {
  auto manager = Open();
  const auto record = manager.RegisterUpload(kOwner, "table.csv", "a,b\n");
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_EQ(record->sha256, Sha256Hex("a,b\n"));
  EXPECT_EQ(record->id, "up_" + record->sha256.substr(0, 20));
  EXPECT_EQ(record->name, "table.csv");
  EXPECT_EQ(record->mime, "text/csv");
  EXPECT_EQ(record->bytes, 4U);
  EXPECT_EQ(*manager.Find(kOwner, record->id), *record);
}

TEST_F(ArtifactManagerTest, TheKindIsInTheId) {
  auto manager = Open();
  EXPECT_TRUE(manager.Save(kOwner, kDownload, "a", "x")->id.starts_with("dl_"));
  EXPECT_TRUE(manager.Save(kOwner, kCapture, "a", "x")->id.starts_with("art_"));
}

TEST_F(ArtifactManagerTest, NoNameBecomesAPath) {
  auto manager = Open();
  const std::pair<std::string_view, std::string_view> names[] = {
      {"../../etc/passwd", "passwd"},
      {"/etc/shadow", "shadow"},
      {"..", "download"},
      {".artifact.json", "artifact.json"},
      {"a/b\\c.txt", "c.txt"},
      {std::string_view("x\0y", 3), "xy"},
      {"", "download"},
  };
  std::size_t number = 0;
  for (const auto& [given, name] : names) {
    const auto record = manager.RegisterUpload(kOwner, given, std::to_string(++number));
    ASSERT_TRUE(record) << given << ": " << record.error().message();
    EXPECT_EQ(record->name, name);
    EXPECT_TRUE(fs::exists(manager.FolderOf(kOwner) / record->id / name));
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(ArtifactManagerTest, TenantsAndWorkflowsWithHostileIdsStayInsideTheRoot) {
  auto manager = Open();
  const ArtifactOwner hostile{.tenant = TenantId("../.."), .workflow = WorkflowId("/")};
  ASSERT_TRUE(manager.RegisterUpload(hostile, "a", "x"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(ArtifactManagerTest, OwnersSeeOnlyTheirOwn) {
  auto manager = Open();
  const auto record = manager.RegisterUpload(kOwner, "a", "x");
  for (const ArtifactOwner& owner : {kOther, kStranger}) {
    EXPECT_EQ(manager.Find(owner, record->id).error().code(), ErrorCode::kNotFound);
    EXPECT_TRUE(manager.List(owner, "", 10)->artifacts.empty());
  }
}

TEST_F(ArtifactManagerTest, WhatIsNoIdIsNotFound) {
  auto manager = Open();
  for (const std::string_view id :
       {"", "..", "up_", "up_0123456789abcdef012/", "up_0123456789ABCDEF0123",
        "xx_0123456789abcdef0123", "up_../../../../../../../e"}) {
    EXPECT_EQ(manager.Find(kOwner, id).error().code(), ErrorCode::kNotFound) << id;
    EXPECT_EQ(manager.Read(kOwner, id, 0, 1).error().code(), ErrorCode::kNotFound) << id;
  }
}

TEST_F(ArtifactManagerTest, TheSameContentIsKeptOnce) {
  auto manager = Open();
  const auto first = manager.RegisterUpload(kOwner, "a.txt", "same");
  const auto second = manager.RegisterUpload(kOwner, "b.txt", "same");
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(*manager.UsedBytes(kOwner.tenant), 4U);
}

TEST_F(ArtifactManagerTest, ContentIsReadInSlices) {
  auto manager = Open();
  const auto record = manager.RegisterUpload(kOwner, "a", "0123456789");
  EXPECT_EQ(*manager.Read(kOwner, record->id, 0, 4), "0123");
  EXPECT_EQ(*manager.Read(kOwner, record->id, 8, 4), "89");
  EXPECT_EQ(*manager.Read(kOwner, record->id, 10, 4), "");
  EXPECT_EQ(*manager.Read(kOwner, record->id, 1'000'000'000'000, 4), "");
}

TEST_F(ArtifactManagerTest, EverythingSurvivesTheProcess) {
  const auto record = Open().RegisterUpload(kOwner, "a.txt", "kept");
  auto manager = Open();
  EXPECT_EQ(*manager.Find(kOwner, record->id), *record);
  EXPECT_EQ(*manager.Read(kOwner, record->id, 0, 10), "kept");
}

TEST_F(ArtifactManagerTest, ALostOrBrokenRecordIsMadeAnew) {
  auto manager = Open();
  const auto record = manager.RegisterUpload(kOwner, "a.txt", "kept");
  const fs::path file = manager.FolderOf(kOwner) / record->id / ".artifact.json";
  for (const std::string_view broken : {"", "{", "{\"id\": 1}"}) {
    Put(file, broken);
    const auto again = manager.Find(kOwner, record->id);
    ASSERT_TRUE(again) << broken << ": " << again.error().message();
    EXPECT_EQ(again->sha256, record->sha256);
    EXPECT_EQ(again->name, "a.txt");
  }
  fs::remove(file);
  EXPECT_EQ(manager.List(kOwner, "", 10)->artifacts.size(), 1U);
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(ArtifactManagerTest, ContentThatIsNotWhatItsIdSaysIsRefused) {
  auto manager = Open();
  const auto record = manager.RegisterUpload(kOwner, "a.txt", "kept");
  fs::remove(manager.FolderOf(kOwner) / record->id / ".artifact.json");
  Put(manager.FolderOf(kOwner) / record->id / "a.txt", "forged");
  EXPECT_EQ(manager.Find(kOwner, record->id).error().code(), ErrorCode::kIoError);
  EXPECT_TRUE(manager.RegisterUpload(kOwner, "a.txt", "kept"));
  EXPECT_EQ(*manager.Read(kOwner, record->id, 0, 10), "kept");
}

TEST_F(ArtifactManagerTest, TheQuotaStopsAStreamBeforeItIsWritten) {
  auto manager = Open(10);
  auto writer = manager.Begin(kOwner, kUpload, "a");
  EXPECT_TRUE((*writer)->Append("12345678"));
  const auto refused = (*writer)->Append("901");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kQuotaArtifactBytes);
  writer->reset();
  EXPECT_EQ(Files(), 0U);
  EXPECT_TRUE(manager.RegisterUpload(kOwner, "a", "1234567890"));
}

TEST_F(ArtifactManagerTest, TheQuotaIsTheTenantsOverAllWorkflowsAndWriters) {
  auto manager = Open(10);
  EXPECT_TRUE(manager.RegisterUpload(kOther, "a", "1234"));
  auto writer = manager.Begin(kOwner, kUpload, "b");
  EXPECT_TRUE((*writer)->Append("1234"));
  EXPECT_EQ(manager.RegisterUpload(kOwner, "c", "123").error().code(),
            ErrorCode::kQuotaArtifactBytes);
  EXPECT_TRUE(manager.RegisterUpload(kStranger, "c", "1234567890"));
  EXPECT_TRUE(manager.Finish(*std::move(writer)));
  EXPECT_EQ(*manager.LeftBytes(kOwner.tenant), 2U);
}

TEST_F(ArtifactManagerTest, ATenantsOwnLimitHoldsFromTheNextByteOn) {
  auto manager = Open(10);
  auto writer = manager.Begin(kOwner, kUpload, "a");
  EXPECT_TRUE((*writer)->Append("1234"));
  manager.SetLimit(kOwner.tenant, 5);
  EXPECT_EQ((*writer)->Append("56").error().code(), ErrorCode::kQuotaArtifactBytes);
  manager.SetLimit(kOwner.tenant, 0);
  EXPECT_TRUE((*writer)->Append(std::string(1000, 'x'))) << "no limit";
  EXPECT_TRUE(manager.Finish(*std::move(writer)));
  EXPECT_EQ(manager.RegisterUpload(kStranger, "b", "12345678901").error().code(),
            ErrorCode::kQuotaArtifactBytes)
      << "of others the old one";
}

TEST_F(ArtifactManagerTest, WhatAnotherProcessKeptMeanwhileCounts) {
  auto one = Open(10);
  auto two = Open(10);
  auto writer = one.Begin(kOwner, kUpload, "a");
  EXPECT_TRUE((*writer)->Append("123456"));
  EXPECT_TRUE(two.RegisterUpload(kOwner, "b", "abcdef"));
  EXPECT_EQ(one.Finish(*std::move(writer)).error().code(), ErrorCode::kQuotaArtifactBytes);
  EXPECT_EQ(*one.UsedBytes(kOwner.tenant), 6U);
}

TEST_F(ArtifactManagerTest, ListsPageByPageOldestFirst) {
  auto manager = Open();
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) {
    ids.push_back(manager.RegisterUpload(kOwner, "a", std::to_string(i))->id);
    clock_.Advance(std::chrono::seconds(1));
  }
  std::vector<std::string> seen;
  std::string from;
  do {
    const auto page = manager.List(kOwner, from, 2);
    ASSERT_TRUE(page);
    EXPECT_LE(page->artifacts.size(), 2U);
    for (const auto& record : page->artifacts) seen.push_back(record.id);
    from = page->next;
  } while (!from.empty());
  EXPECT_EQ(seen, ids);
  for (const std::string_view bad : {"x", "1", "1.", "1.up_1"})
    EXPECT_EQ(manager.List(kOwner, bad, 2).error().code(), ErrorCode::kInvalidArgument) << bad;
  EXPECT_EQ(manager.List(kOwner, "", 0).error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(ArtifactManagerTest, PurgesByAgeAndGivesTheBytesBack) {
  auto manager = Open(10);
  const auto old = manager.RegisterUpload(kOwner, "a", "12345");
  clock_.Advance(std::chrono::hours(2));
  const auto young = manager.RegisterUpload(kOther, "b", "1234");
  const auto purged = manager.Purge(kOwner.tenant, {.older_than = std::chrono::hours(1)});
  ASSERT_TRUE(purged);
  EXPECT_EQ(purged->artifacts, 1U);
  EXPECT_EQ(purged->bytes, 5U);
  EXPECT_FALSE(manager.Find(kOwner, old->id));
  EXPECT_TRUE(manager.Find(kOther, young->id));
  EXPECT_EQ(*manager.LeftBytes(kOwner.tenant), 6U);
}

TEST_F(ArtifactManagerTest, PurgesOneWorkflowWithEverythingTheDriverLeftThere) {
  auto manager = Open();
  ASSERT_TRUE(manager.RegisterUpload(kOwner, "a", "12345"));
  ASSERT_TRUE(manager.RegisterUpload(kOther, "b", "1234"));
  Put(manager.FolderOf(kOwner) / "picture.png", "123");
  const auto purged = manager.Purge(kOwner.tenant, {.workflow = kOwner.workflow});
  EXPECT_EQ(purged->artifacts, 2U);
  EXPECT_EQ(purged->bytes, 8U);
  EXPECT_EQ(*manager.UsedBytes(kOwner.tenant), 4U);
  EXPECT_FALSE(fs::exists(manager.FolderOf(kOwner)));
}

TEST_F(ArtifactManagerTest, TakesFilesOfTheInboxAndNoOthers) {
  auto manager = Open();
  Put(inbox() / "sub/in.txt", "inside");
  Put(folder_.path() / "out.txt", "outside");
  fs::create_symlink(folder_.path() / "out.txt", inbox() / "link.txt");
  const auto record = manager.RegisterFromInbox(kOwner, "sub/in.txt");
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_EQ(record->name, "in.txt");
  EXPECT_EQ(*manager.Read(kOwner, record->id, 0, 100), "inside");
  for (const std::string path : {"../out.txt", "link.txt", "/etc/passwd", "none", "sub"})
    EXPECT_FALSE(manager.RegisterFromInbox(kOwner, path)) << path;
  EXPECT_TRUE(fs::exists(inbox() / "sub/in.txt"));
  const auto cut = manager.RegisterFromInbox(kOwner, std::string("sub/in.txt\0.pdf", 15));
  ASSERT_FALSE(cut) << "a name is not read up to where the system would stop";
  EXPECT_EQ(cut.error().message(), "files: a name must not contain NUL");
}

TEST_F(ArtifactManagerTest, AdoptsWhatTheDriverWrote) {
  auto manager = Open();
  Put(manager.FolderOf(kOwner) / "guid", "%PDF-1.7");
  const auto record = manager.Adopt(kOwner, kDownload, "guid", "../report.pdf");
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_EQ(record->id, "dl_" + Sha256Hex("%PDF-1.7").substr(0, 20));
  EXPECT_EQ(record->name, "report.pdf");
  EXPECT_EQ(record->mime, "application/pdf");
  EXPECT_FALSE(fs::exists(manager.FolderOf(kOwner) / "guid"));
  EXPECT_EQ(*manager.UsedBytes(kOwner.tenant), 8U);
  for (const std::string file : {"guid", "..", ".", "", "../x", "/etc/passwd"})
    EXPECT_FALSE(manager.Adopt(kOwner, kDownload, file, "x")) << file;
}

TEST_F(ArtifactManagerTest, AdoptingTooMuchKeepsNothing) {
  auto manager = Open(4);
  Put(manager.FolderOf(kOwner) / "guid", "12345");
  EXPECT_EQ(manager.Adopt(kOwner, kDownload, "guid", "a").error().code(),
            ErrorCode::kQuotaArtifactBytes);
  EXPECT_EQ(Files(), 0U);
}

TEST_F(ArtifactManagerTest, UploadsResolveTheManagersIds) {
  auto manager = Open();
  const auto record = manager.RegisterUpload(kOwner, "a.txt", "x");
  const ArtifactFolder folder(manager.FolderOf(kOwner));
  const auto path = folder.ResolveUpload(record->id);
  ASSERT_TRUE(path) << path.error().message();
  EXPECT_EQ(path->filename(), "a.txt");
  EXPECT_EQ(folder.ResolveUpload("up_00000000000000000000").error().code(), ErrorCode::kNotFound);
}

TEST_F(ArtifactManagerTest, ALinkInTheShapeOfAnIdLeadsNowhere) {
  auto manager = Open();
  Put(folder_.path() / "secret/a.txt", "secret");
  fs::create_directories(manager.FolderOf(kOwner));
  const std::string id = "up_00000000000000000000";
  fs::create_directory_symlink(folder_.path() / "secret", manager.FolderOf(kOwner) / id);
  EXPECT_FALSE(ArtifactFolder(manager.FolderOf(kOwner)).ResolveUpload(id));
}

TEST_F(ArtifactManagerTest, AFolderThatCannotBeWrittenIsSaid) {
  Put(root(), "a file where the folder should be");
  auto manager = Open();
  EXPECT_EQ(manager.RegisterUpload(kOwner, "a", "x").error().code(), ErrorCode::kIoError);
}

// Files may have no more than a few bytes: writing fails as on a full disk.
TEST_F(ArtifactManagerTest, AFullDiskLeavesNothingBehind) {
  auto manager = Open(1 << 20);
  ASSERT_TRUE(manager.RegisterUpload(kOwner, "a", "kept"));
  const auto files = Files();
  auto* const before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{.rlim_cur = 1000, .rlim_max = limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto refused = manager.RegisterUpload(kOwner, "b", std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, before);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kIoError);
  EXPECT_EQ(Files(), files);
  EXPECT_EQ(*manager.UsedBytes(kOwner.tenant), 4U);
}

TEST_F(ArtifactManagerTest, ManyWritersOfSeveralProcessesDisturbNobody) {
  constexpr int kProcesses = 3;
  constexpr int kEach = 20;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto manager = Open(1 << 20);
      bool is_fine = true;
      for (int i = 0; i < kEach; ++i) {
        // Half of the content is the same in all of them.
        const std::string content = std::to_string(i % 2 == 0 ? i : 1000 * process + i);
        is_fine = is_fine && manager.RegisterUpload(kOwner, "a.txt", content).has_value();
      }
      ::_exit(is_fine ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto page = Open().List(kOwner, "", 1000);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->artifacts.size(), kEach / 2 + kProcesses * kEach / 2);
  for (const auto& record : page->artifacts)
    EXPECT_EQ(record.sha256, Sha256Hex(*Open().Read(kOwner, record.id, 0, 100)));
}

TEST_F(ArtifactManagerTest, TheQuotaHoldsAmongThreads) {
  auto manager = Open(100);
  std::atomic<std::size_t> kept = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&manager, &kept, thread] {
        for (int i = 0; i < 10; ++i) {
          const std::string content = std::to_string(10'000'000 + 100 * thread + i);
          if (manager.RegisterUpload(kOwner, "a", content)) ++kept;
        }
      });
    }
  }
  EXPECT_EQ(*manager.UsedBytes(kOwner.tenant), 8 * kept);
  EXPECT_LE(kept, 12U);
  EXPECT_GE(kept, 6U);
}

}  // namespace
}  // namespace falconer::browser
