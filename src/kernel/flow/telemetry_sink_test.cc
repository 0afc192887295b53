#include "kernel/flow/telemetry_sink.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/log.h"

namespace falconer::kernel {
namespace {

class TelemetrySinkTest : public testing::Test {
 protected:
  TempDir dir_ = *TempDir::Create("telemetry");
  std::filesystem::path path_ = dir_.path() / "events.jsonl";
};

TEST_F(TelemetrySinkTest, WritesLinesInOrderAndPrivately) {
  {
    auto sink = TelemetrySink::Open(path_);
    ASSERT_TRUE(sink);
    EXPECT_TRUE(sink->TryWrite("{\"a\":1}"));
    EXPECT_TRUE(sink->TryWrite("{\"a\":2}"));
  }
  EXPECT_EQ(*ReadFile(path_), "{\"a\":1}\n{\"a\":2}\n") << "closing writes what waits";
  EXPECT_EQ(std::filesystem::status(path_).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(TelemetrySinkTest, PutsFullFilesAsideAndKeepsAsManyAsItMay) {
  auto sink = TelemetrySink::Open(path_, {.file_bytes = 20, .files = 3});
  ASSERT_TRUE(sink);
  for (int i = 0; i < 9; ++i) sink->TryWrite("line " + std::to_string(i) + " 12");
  const TelemetryStats stats = sink->Close();

  EXPECT_EQ(*ReadFile(path_), "line 8 12\n");
  EXPECT_EQ(*ReadFile(path_.string() + ".1"), "line 6 12\nline 7 12\n");
  EXPECT_EQ(*ReadFile(path_.string() + ".2"), "line 4 12\nline 5 12\n");
  EXPECT_FALSE(std::filesystem::exists(path_.string() + ".3"));
  EXPECT_EQ(stats.rotations, 4U);
  EXPECT_EQ(stats.written, 9U);
}

TEST_F(TelemetrySinkTest, GoesOnWhereAnEarlierRunStopped) {
  for (int run = 0; run < 2; ++run) {
    auto sink = TelemetrySink::Open(path_);
    ASSERT_TRUE(sink);
    sink->TryWrite("x");
  }
  EXPECT_EQ(*ReadFile(path_), "x\nx\n");
}

TEST_F(TelemetrySinkTest, AFullDiskIsCountedAndLoggedOnceAndHoldsNobodyUp) {
  std::vector<std::string> lines;
  SetLogSink([&lines](std::string_view line) { lines.emplace_back(line); });
  {
    auto sink = TelemetrySink::Open("/dev/full");
    ASSERT_TRUE(sink);
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(sink->TryWrite("x"));
    const TelemetryStats stats = sink->Close();
    EXPECT_EQ(stats.failed, 50U);
    EXPECT_EQ(stats.written, 0U);
  }
  SetLogSink({});
  ASSERT_EQ(lines.size(), 2U) << "once when it begins, once in the end";
  EXPECT_TRUE(lines[0].contains("telemetry.write_failed"));
  EXPECT_TRUE(lines[1].contains("telemetry.lost") && lines[1].contains("50")) << lines[1];
}

TEST_F(TelemetrySinkTest, EveryLineIsWrittenOrCounted) {
  constexpr std::uint64_t kLines = 100'000;
  auto sink = TelemetrySink::Open(path_, {.queue = 8});
  ASSERT_TRUE(sink);
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < kLines; ++i) taken += sink->TryWrite("x") ? 1U : 0U;
  const TelemetryStats stats = sink->Close();

  EXPECT_EQ(stats.written, taken);
  EXPECT_EQ(stats.written + stats.dropped, kLines);
}

TEST_F(TelemetrySinkTest, AFolderThatIsNotThereIsSaid) {
  const auto sink = TelemetrySink::Open(dir_.path() / "no" / "x.jsonl");
  ASSERT_FALSE(sink);
  EXPECT_EQ(sink.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace falconer::kernel
