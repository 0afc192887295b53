// Downloads: kept in the session's folder, bounded, hashed, under a harmless name.

#include <filesystem>
#include <set>

#include "base/json/json.h"
#include "base/sha256.h"
#include "tests/support/running_action.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

namespace fs = std::filesystem;
using browser::Download;
using browser::DownloadState;

// What /download/slow sends at a time.
constexpr std::uint64_t kPieceBytes = 64 << 10;

std::string DownloadJson(std::string_view selector, json::object more = {}) {
  more["action_type"] = "download_trigger";
  more["selector"] = selector;
  return json::serialize(more);
}

// Every file below a folder and its parent that the test may have created.
std::set<std::string> FilesIn(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.insert(entry.path().filename().string());
  }
  return files;
}

Task<void> UntilState(BrowserFixture& t, DownloadState state) {
  browser::Downloads& downloads = t.session->downloads();
  const auto reached = co_await downloads.changes().Until(
      t.ctx.WithTimeout(std::chrono::seconds(10)),
      [&] { return !downloads.all().empty() && downloads.all().back().state == state; },
      "the download");
  EXPECT_TRUE(reached) << Why(reached);
}

BROWSER_TEST(DownloadTest, ByLinkByNavigationAndFromABlob) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"#link", "report.txt", "the content of plain"},
      {"#navigation", "report.txt", "the content of plain"},
      {"#blank", "report.txt", "the content of plain"},
      {"#blob", "blob.txt", "made in the page"}};
  for (const auto& [selector, name, content] : cases) {
    co_await t.Open("/downloads.html");
    const auto done = co_await t.Do(DownloadJson(selector));

    EXPECT_TRUE(done && done->artifact && done->downloads.size() == 1)
        << selector << ": " << Why(done);
    if (!done || !done->artifact) continue;
    EXPECT_EQ(t.session->downloads().all().back().name, name) << selector;
    EXPECT_EQ(done->artifact->sha256, Sha256Hex(content)) << selector;
    EXPECT_EQ(done->artifact->bytes, std::string_view(content).size()) << selector;
    const auto kept = ReadFile(t.artifacts / done->artifact->path);
    EXPECT_EQ(kept.value_or(""), content) << selector << ": " << done->artifact->path;
    EXPECT_TRUE(fs::path(done->artifact->path).is_relative()) << done->artifact->path;
  }
}

BROWSER_TEST(DownloadTest, ByAddress) {
  co_await t.Open("/form.html");

  const auto done = co_await t.Do(json::serialize(
      json::object{{"action_type", "download_trigger"}, {"url", t.site.Url("/download/plain")}}));

  EXPECT_TRUE(done && done->artifact) << Why(done);
  if (done && done->artifact) EXPECT_EQ(done->artifact->sha256, Sha256Hex("the content of plain"));
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
}

BROWSER_TEST(DownloadTest, AClickTellsOfTheDownloadItBegan) {
  co_await t.Open("/downloads.html");

  const auto clicked = co_await t.DoAndWait(R"({"action_type": "click", "selector": "#link"})",
                                            R"({"kind": "download", "state": "completed"})");

  EXPECT_TRUE(clicked && clicked->satisfied) << Why(clicked);
  const auto filled = co_await t.Do(R"({"action_type": "extract", "selector": "#status"})");
  EXPECT_TRUE(filled) << "the page is still there: " << Why(filled);
}

BROWSER_TEST(DownloadTest, HostileNamesStayInTheFolderAndAreMadeHarmless) {
  co_await t.Open("/downloads.html");
  const auto parent = FilesIn(t.artifacts);
  const std::pair<const char*, const char*> cases[] = {{"traversal", ""},
                                                       {"backslash", ""},
                                                       {"absolute", ""},
                                                       {"device", "_CON"},
                                                       {"unicode", "Übersicht 🦅.txt"},
                                                       {"hidden", "bashrc"},
                                                       {"control", ""},
                                                       {"bidi", ""},
                                                       {"long", ""},
                                                       {"nameless", ""}};
  for (const auto& [id, expected] : cases) {
    const auto done = co_await t.Do(DownloadJson("#" + std::string(id)));
    EXPECT_TRUE(done && done->artifact) << id << ": " << Why(done);
    if (!done || !done->artifact) continue;
    const Download& download = t.session->downloads().all().back();
    if (*expected != '\0') EXPECT_EQ(download.name, expected) << id;
    EXPECT_FALSE(download.name.empty()) << id;
    EXPECT_LE(download.name.size(), 120u) << id;
    EXPECT_EQ(download.name.find_first_of("/\\\r\n\x01"), std::string::npos)
        << id << ": " << download.name;
    EXPECT_FALSE(download.name.contains("\xE2\x80\xAE"))
        << "turns the reading direction: " << download.name;
    EXPECT_EQ(fs::canonical(download.path).parent_path(), fs::canonical(t.artifacts)) << id;
  }
  EXPECT_EQ(FilesIn(t.artifacts).size(), parent.size() + std::size(cases))
      << "one file each, all in the folder";
}

BROWSER_TEST(DownloadTest, AnAnnouncedSizeOverTheQuotaIsStoppedAtOnce) {
  browser::SessionOptions options;
  options.max_download_bytes = 100'000;
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/downloads.html");

  const auto done = co_await other->Do(DownloadJson("#slow"));

  EXPECT_EQ(CodeOf(done), ErrorCode::kQuotaArtifactBytes) << Why(done);
  co_await UntilState(*other, DownloadState::kOverQuota);
  EXPECT_TRUE(FilesIn(other->artifacts).empty());
}

BROWSER_TEST(DownloadTest, AnUnannouncedSizeIsStoppedWhileItStreams) {
  browser::SessionOptions options;
  options.max_download_bytes = 40'000;
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/downloads.html");

  const auto done = co_await other->Do(DownloadJson("#endless"));

  EXPECT_EQ(CodeOf(done), ErrorCode::kQuotaArtifactBytes) << Why(done);
  EXPECT_EQ(FilesIn(other->artifacts), std::set<std::string>());
}

BROWSER_TEST(DownloadTest, OfWhatWasStoppedNothingIsLeftWhenTheSessionEnds) {
  const auto folder = TempDir::Create("falconer-test-");
  browser::SessionOptions options;
  options.max_download_bytes = 40'000;
  options.artifacts = folder->path();
  auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/downloads.html");
  const auto done = co_await other->Do(DownloadJson("#endless"));
  EXPECT_EQ(CodeOf(done), ErrorCode::kQuotaArtifactBytes) << Why(done);

  co_await other->session->Close(t.ctx.WithTimeout(std::chrono::seconds(10)));
  other.reset();

  EXPECT_TRUE(fs::is_empty(folder->path()));
}

BROWSER_TEST(DownloadTest, TheQuotaCountsAllDownloadsOfTheSession) {
  browser::SessionOptions options;
  options.max_download_bytes = 50;
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/downloads.html");

  const auto first = co_await other->Do(DownloadJson("#link"));
  const auto second = co_await other->Do(DownloadJson("#link"));
  const auto third = co_await other->Do(DownloadJson("#link"));

  EXPECT_TRUE(first && second) << Why(first) << Why(second);
  EXPECT_EQ(CodeOf(third), ErrorCode::kQuotaArtifactBytes) << Why(third);
}

BROWSER_TEST(DownloadTest, TheQuotaCountsDownloadsThatRunTogether) {
  t.site.Serve(
      "/page",
      "<a id=one href='/download/slow?chunks=10&ms=100' download>1</a>"
      "<a id=two href='/download/slow?chunks=10&ms=101' download>2</a>"
      "<button id=b onclick='one.click(); setTimeout(() => two.click(), 300)'>Go</button>");
  browser::SessionOptions options;
  options.max_download_bytes = 15 * kPieceBytes;
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/page");

  const auto clicked = co_await other->Click("#b");
  browser::Downloads& downloads = other->session->downloads();
  const auto over = co_await downloads.changes().Until(
      t.ctx.WithTimeout(std::chrono::seconds(10)),
      [&] {
        return downloads.all().size() == 2 &&
               std::ranges::count(downloads.all(), DownloadState::kRunning, &Download::state) == 0;
      },
      "both to end");

  EXPECT_TRUE(clicked && over) << Why(clicked) << Why(over);
  EXPECT_EQ(std::ranges::count(downloads.all(), DownloadState::kCompleted, &Download::state), 1);
  EXPECT_EQ(std::ranges::count(downloads.all(), DownloadState::kOverQuota, &Download::state), 1);
}

BROWSER_TEST(DownloadTest, AQuotaOfNothingRefusesEvenEmptyFiles) {
  t.site.Serve("/page", "<a id=a href='data:application/octet-stream,' download='empty'>0</a>");
  browser::SessionOptions options;
  options.max_download_bytes = 0;
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/page");

  const auto done = co_await other->Do(DownloadJson("#a"));

  EXPECT_EQ(CodeOf(done), ErrorCode::kQuotaArtifactBytes) << Why(done);
  EXPECT_TRUE(Why(done).contains("downloads.max_bytes")) << Why(done);
  EXPECT_TRUE(FilesIn(other->artifacts).empty());
}

BROWSER_TEST(DownloadTest, WaitingForOneToBeginEndsWithTheSession) {
  t.site.Serve("/page", "<button id=b onclick='location.hash = 1'>Nothing</button>");
  const auto other = co_await OpenFixture(t, {});
  if (!other) co_return;
  co_await other->Open("/page");
  RunningAction running(*other, DownloadJson("#b", {{"timeout_ms", 8000}}));
  const auto clicked = co_await other->WaitFor(R"({"kind": "url", "url_pattern": "**/page#1"})");
  EXPECT_TRUE(clicked && clicked->satisfied) << Why(clicked);
  for (int i = 0; i < 5; ++i) co_await other->Page("1");
  EXPECT_FALSE(running.is_over()) << "it waits for the download";

  co_await other->session->Close(t.ctx.WithTimeout(std::chrono::seconds(5)));
  const auto done = co_await running.Outcome();

  EXPECT_EQ(CodeOf(done), ErrorCode::kSessionClosed) << Why(done);
}

BROWSER_TEST(DownloadTest, WhatRunsWhenTheSessionEndsFailsForThatReason) {
  const auto other = co_await OpenFixture(t, {});
  if (!other) co_return;
  co_await other->Open("/downloads.html");
  RunningAction running(*other, DownloadJson("#endless"));
  browser::Downloads& downloads = other->session->downloads();
  const auto begun = co_await downloads.Begun(t.ctx.WithTimeout(std::chrono::seconds(5)), 0);
  EXPECT_TRUE(begun) << Why(begun);

  co_await other->session->Close(t.ctx.WithTimeout(std::chrono::seconds(5)));
  const auto done = co_await running.Outcome();

  EXPECT_EQ(CodeOf(done), ErrorCode::kSessionClosed) << Why(done);
}

BROWSER_TEST(DownloadTest, OneThatBreaksOffIsAFailure) {
  co_await t.Open("/downloads.html");

  const auto done = co_await t.Do(DownloadJson("#broken"));

  EXPECT_EQ(CodeOf(done), ErrorCode::kDownloadFailed) << Why(done);
  EXPECT_TRUE(FilesIn(t.artifacts).empty()) << "half a file is no file";
}

BROWSER_TEST(DownloadTest, CanBeCancelled) {
  co_await t.Open("/downloads.html");
  RunningAction running(t, DownloadJson("#endless"));
  browser::Downloads& downloads = t.session->downloads();
  const auto begun = co_await downloads.changes().Until(
      t.ctx.WithTimeout(std::chrono::seconds(5)), [&] { return !downloads.all().empty(); },
      "the download to begin");
  EXPECT_TRUE(begun) << Why(begun);

  const auto cancelled = co_await downloads.Cancel(t.ctx.WithTimeout(std::chrono::seconds(5)),
                                                   downloads.all().back().id);
  const auto done = co_await running.Outcome();

  EXPECT_TRUE(cancelled) << Why(cancelled);
  EXPECT_EQ(CodeOf(done), ErrorCode::kDownloadFailed) << Why(done);
  EXPECT_TRUE(FilesIn(t.artifacts).empty());
}

BROWSER_TEST(DownloadTest, CancellingWhatIsOverOrUnknown) {
  co_await t.Open("/downloads.html");
  const auto done = co_await t.Do(DownloadJson("#link"));
  EXPECT_TRUE(done) << Why(done);
  browser::Downloads& downloads = t.session->downloads();

  const auto finished = co_await downloads.Cancel(t.ctx.WithTimeout(std::chrono::seconds(5)),
                                                  downloads.all().back().id);
  const auto unknown =
      co_await downloads.Cancel(t.ctx.WithTimeout(std::chrono::seconds(5)), "dl_nothing");

  EXPECT_TRUE(finished) << Why(finished);
  EXPECT_EQ(CodeOf(unknown), ErrorCode::kNotFound) << Why(unknown);
  EXPECT_EQ(FilesIn(t.artifacts).size(), 1u);
}

BROWSER_TEST(DownloadTest, TwoAtOnceAreKeptApart) {
  t.site.Serve(
      "/page",
      "<a id=one href='/download/plain' download>1</a><a id=two href='/download/unicode' "
      "download>2</a>"
      "<button id=b onclick='one.click(); setTimeout(() => two.click(), 300)'>Both</button>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");
  browser::Downloads& downloads = t.session->downloads();
  const auto both = co_await downloads.changes().Until(
      t.ctx.WithTimeout(std::chrono::seconds(10)),
      [&] {
        return std::ranges::count(downloads.all(), DownloadState::kCompleted, &Download::state) ==
               2;
      },
      "both");

  EXPECT_TRUE(clicked && both) << Why(clicked) << Why(both);
  std::set<std::string> hashes;
  for (const Download& download : downloads.all()) hashes.insert(download.sha256);
  EXPECT_EQ(hashes, (std::set<std::string>{Sha256Hex("the content of plain"),
                                           Sha256Hex("the content of unicode")}));
}

BROWSER_TEST(DownloadTest, TwoSessionsDoNotSeeEachOther) {
  const auto folder = TempDir::Create("falconer-test-");
  browser::SessionOptions options;
  options.artifacts = folder->path();
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await t.Open("/downloads.html");
  co_await other->Open("/downloads.html");

  const auto mine = co_await t.Do(DownloadJson("#link"));
  const auto theirs = co_await other->Do(DownloadJson("#unicode"));

  EXPECT_TRUE(mine && theirs) << Why(mine) << Why(theirs);
  EXPECT_EQ(t.session->downloads().all().size(), 1u);
  EXPECT_EQ(other->session->downloads().all().size(), 1u);
  EXPECT_EQ(FilesIn(t.artifacts).size(), 1u);
}

BROWSER_TEST(DownloadTest, AClickThatBringsNoFileTimesOut) {
  t.site.Serve("/page", "<button id=b>Nothing</button>");
  co_await t.Open("/page");

  const auto done = co_await t.Do(DownloadJson("#b", {{"timeout_ms", 400}}));

  EXPECT_EQ(CodeOf(done), ErrorCode::kTimeout) << Why(done);
  EXPECT_TRUE(Why(done).contains("download")) << Why(done);
}

BROWSER_TEST(DownloadTest, WithoutAFolderFilesAreRefused) {
  const auto session = co_await t.browser.NewSession(t.ctx.WithTimeout(std::chrono::seconds(10)),
                                                     SessionId("no-folder"), {});
  EXPECT_TRUE(session) << Why(session);
  if (!session) co_return;
  BrowserFixture other(t.ctx, t.browser, t.site, *session, {});
  co_await other.Open("/downloads.html");

  const auto done = co_await other.Do(DownloadJson("#link"));

  EXPECT_EQ(CodeOf(done), ErrorCode::kDownloadFailed) << Why(done);
  co_await (*session)->Close(t.ctx.WithTimeout(std::chrono::seconds(5)));
}

}  // namespace
}  // namespace falconer::test
