#include "browser/context/downloads.h"

#include <fstream>

#include "base/file.h"
#include "base/sha256.h"
#include "cdp/connection.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_cdp_peer.h"
#include "tests/support/settle.h"

namespace falconer::browser {
namespace {

using test::FakeCdpPeer;
using test::Settle;

// The downloads of a context whose browser is the test.
struct DownloadsBench {
  explicit DownloadsBench(CallContext c, std::uint64_t max_bytes = 1000)
      : ctx(std::move(c)),
        folder(*TempDir::Create("falconer-test-")),
        options{.artifacts = folder.path(), .max_download_bytes = max_bytes},
        peer(ctx.executor()),
        connection(ctx.executor(), ctx.clock(), peer.MakeTransport(), {}),
        downloads(connection.root(), "context", options) {
    EXPECT_TRUE(downloads.Start());
  }

  void Begin(const std::string& guid) const {
    peer.Event("", "Browser.downloadWillBegin",
               json::serialize(json::object{{"frameId", "frame"},
                                            {"guid", guid},
                                            {"url", "http://site/file"},
                                            {"suggestedFilename", guid + ".txt"}}));
  }
  void Progress(const std::string& guid, double received, double total,
                std::string_view state = "inProgress") const {
    peer.Event(
        "", "Browser.downloadProgress",
        json::serialize(json::object{
            {"guid", guid}, {"receivedBytes", received}, {"totalBytes", total}, {"state", state}}));
  }
  // The whole file arrives.
  void Complete(const std::string& guid, std::string_view content) const {
    std::ofstream(Incoming(guid)) << content;
    const auto size = static_cast<double>(content.size());
    Progress(guid, size, size, "completed");
  }
  std::filesystem::path Incoming(const std::string& guid) const {
    return folder.path() / ".incoming_context" / guid;
  }
  Task<Result<Download>> Finished(std::string guid) {
    return downloads.Finished(ctx.WithTimeout(std::chrono::seconds(5)), "dl_" + guid);
  }
  std::size_t cancelled() const { return peer.CountOf("Browser.cancelDownload"); }

  CallContext ctx;
  TempDir folder;
  SessionOptions options;
  FakeCdpPeer peer;
  cdp::Connection connection;
  Downloads downloads;
};

CO_TEST(DownloadsTest, WhatCompletesIsHashedAndKept) {
  DownloadsBench bench(ctx);
  bench.Begin("a");
  bench.Complete("a", "content");

  const auto done = co_await bench.Finished("a");

  EXPECT_TRUE(done) << done.error().message();
  if (!done) co_return;
  EXPECT_EQ(done->state, DownloadState::kCompleted);
  EXPECT_EQ(done->sha256, Sha256Hex("content"));
  EXPECT_EQ(ReadFile(done->path).value_or(""), "content");
}

CO_TEST(DownloadsTest, OneOfAFrameThatNobodyKnowsIsCancelledInTheOwnContext) {
  DownloadsBench bench(ctx);
  bench.downloads.SetFrameFilter([](const std::string& frame) { return frame != "frame"; });
  bench.Begin("a");
  co_await Settle();

  EXPECT_TRUE(bench.downloads.Since(0).empty());
  EXPECT_EQ(bench.cancelled(), 1U);
  const json::object sent = bench.peer.LastOf("Browser.cancelDownload").params;
  EXPECT_EQ(TextAt(sent, "guid"), "a");
  EXPECT_EQ(TextAt(sent, "browserContextId"), "context") << "another session's must go on";
}

CO_TEST(DownloadsTest, OneThatRunsIsNotForgottenForOthersThatEnd) {
  DownloadsBench bench(ctx, 1U << 20U);
  bench.Begin("long");
  for (int i = 0; i < 100; ++i) {
    const std::string guid = "short" + std::to_string(i);
    bench.Begin(guid);
    bench.Complete(guid, "x");
    const auto done = co_await bench.Finished(guid);
    EXPECT_TRUE(done) << guid;
  }
  bench.Complete("long", "at last");

  const auto done = co_await bench.Finished("long");

  EXPECT_TRUE(done) << done.error().message();
  EXPECT_EQ(bench.downloads.all().size(), 64U);
}

CO_TEST(DownloadsTest, WhenAllRunTheNextIsRefused) {
  DownloadsBench bench(ctx);
  for (int i = 0; i < 64; ++i) bench.Begin("d" + std::to_string(i));
  EXPECT_EQ(bench.cancelled(), 0U);

  bench.Begin("one more");
  const auto done = co_await bench.Finished("one more");

  EXPECT_EQ(done.error().code(), ErrorCode::kQueueFull);
  EXPECT_EQ(bench.peer.LastOf("Browser.cancelDownload").params.at("guid"), "one more");
}

CO_TEST(DownloadsTest, ThoseThatRunTogetherAreCountedTogether) {
  DownloadsBench bench(ctx, 1000);
  bench.Begin("a");
  bench.Begin("b");
  bench.Progress("a", 10, 600);
  EXPECT_EQ(bench.cancelled(), 0U);

  bench.Progress("b", 10, 600);
  bench.Progress("b", 10, 600, "canceled");
  bench.Progress("a", 300, 600);
  const auto second = co_await bench.Finished("b");
  bench.Complete("a", std::string(600, 'x'));
  const auto first = co_await bench.Finished("a");

  EXPECT_EQ(second.error().code(), ErrorCode::kQuotaArtifactBytes);
  EXPECT_EQ(bench.cancelled(), 1U);
  EXPECT_TRUE(first) << "the one that was stopped no longer counts: " << first.error().message();
}

CO_TEST(DownloadsTest, WhatCannotBeReadFailsWithTheReason) {
  DownloadsBench bench(ctx);
  bench.Begin("a");
  bench.Progress("a", 7, 7, "completed");

  const auto done = co_await bench.Finished("a");

  EXPECT_EQ(done.error().code(), ErrorCode::kIoError);
  EXPECT_TRUE(done.error().message().contains("cannot open")) << done.error().message();
  EXPECT_EQ(bench.downloads.all().back().state, DownloadState::kFailed);
}

CO_TEST(DownloadsTest, WhatCannotBeKeptFailsWithTheReason) {
  DownloadsBench bench(ctx);
  std::filesystem::create_directories(bench.folder.path() / "a" / "in the way");
  bench.Begin("a");
  bench.Complete("a", "content");

  const auto done = co_await bench.Finished("a");

  EXPECT_EQ(done.error().code(), ErrorCode::kIoError);
  EXPECT_TRUE(done.error().message().contains("cannot move")) << done.error().message();
  EXPECT_FALSE(std::filesystem::exists(bench.Incoming("a")));
}

CO_TEST(DownloadsTest, BreakingOffIsNotCalledCancelling) {
  DownloadsBench bench(ctx);
  bench.Begin("broken");
  bench.Begin("unwanted");
  bench.Progress("broken", 3, 7, "canceled");
  const auto asked = co_await bench.downloads.Cancel(ctx, "dl_unwanted");
  bench.Progress("unwanted", 3, 7, "canceled");

  const auto broken = co_await bench.Finished("broken");
  const auto unwanted = co_await bench.Finished("unwanted");

  EXPECT_TRUE(asked);
  EXPECT_TRUE(broken.error().message().contains("broke off")) << broken.error().message();
  EXPECT_TRUE(unwanted.error().message().contains("cancelled")) << unwanted.error().message();
  EXPECT_EQ(bench.downloads.all().front().state, DownloadState::kFailed);
  EXPECT_EQ(bench.downloads.all().back().state, DownloadState::kCanceled);
}

CO_TEST(DownloadsTest, TheEndOfTheSessionIsTheReasonOfWhatItEnds) {
  DownloadsBench bench(ctx);
  bench.Begin("a");
  bench.downloads.End(Error(ErrorCode::kBrowserGone, "the browser closed its pipe"));

  const auto running = co_await bench.Finished("a");
  const auto next = co_await bench.downloads.Begun(ctx.WithTimeout(std::chrono::seconds(5)), 1);

  EXPECT_EQ(running.error().code(), ErrorCode::kBrowserGone);
  EXPECT_TRUE(running.error().message().contains("pipe")) << running.error().message();
  EXPECT_EQ(next.error().code(), ErrorCode::kBrowserGone);
}

CO_TEST(DownloadsTest, HashingEndsWithTheSession) {
  {
    DownloadsBench bench(ctx, 2U << 20U);
    bench.Begin("a");
    bench.Complete("a", std::string(1U << 20U, 'x'));
  }
  co_await Settle();
}

CO_TEST(DownloadsTest, ZeroBytesMeansNone) {
  DownloadsBench bench(ctx, 0);
  bench.Begin("empty");
  bench.Progress("empty", 0, 0, "canceled");

  const auto done = co_await bench.Finished("empty");

  EXPECT_EQ(bench.peer.LastOf("Browser.setDownloadBehavior").params.at("behavior"), "deny");
  EXPECT_EQ(done.error().code(), ErrorCode::kQuotaArtifactBytes);
  EXPECT_TRUE(done.error().message().contains("downloads.max_bytes")) << done.error().message();
}

}  // namespace
}  // namespace falconer::browser
