#include "app/host/data_rooms.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "ledger/checkpoint.h"
#include "ledger/reader.h"
#include "tests/support/command_bench.h"

namespace falconer::app {
namespace {

namespace fs = std::filesystem;

class DataRoomsTest : public test::CommandBench {
 protected:
  DataRoomsTest() : anchor_(TempDir::Create("falconer-anchor-test-").value()) {}

  json::object RunAnchored(std::vector<std::string> words, int code = kExitOk) {
    words.insert(words.end(), {"--set", "ledger.anchor=" + anchor_.path().string()});
    return Run(std::move(words), code);
  }
  json::object Pause(int code = kExitOk) {
    return RunAnchored({"pause", "--tenant", "local", "--reason", "too much"}, code);
  }
  // How many records the checkpoint in the anchor covers; none without one.
  std::uint64_t Anchored() const {
    for (const auto& file : fs::directory_iterator(anchor_.path())) {
      const auto checkpoint = ledger::ParseCheckpoint(ReadFile(file.path(), 1 << 16).value());
      EXPECT_TRUE(checkpoint) << Describe(checkpoint.error());
      return checkpoint ? checkpoint->size() : 0;
    }
    return 0;
  }
  std::vector<json::object> Records() const {
    const auto paths = ledger::ChainPaths::Of(folder_.path(), TenantId("local"));
    auto reader = ledger::ChainReader::Open(paths.folder);
    EXPECT_TRUE(reader) << Describe(reader.error());
    std::vector<json::object> out;
    for (const auto& record : reader->Query({}, 1, 100)->records) {
      out.push_back(ledger::RecordToJson(record.view()).value());
    }
    return out;
  }

  TempDir anchor_;
};

TEST_F(DataRoomsTest, SaysWhatToDoAboutADamagedKey) {
  Pause();
  const fs::path secret = folder_.path() / "keys" / "ledger.ed25519";
  const fs::path open = ledger::SigningKey::PublicKeyPath(folder_.path());
  const std::pair<fs::path, int> files[] = {{secret, kExitUsage}, {open, kExitFailed}};
  for (const auto& [file, code] : files) {
    const std::string whole = ReadFile(file).value();
    ASSERT_TRUE(WriteFileAtomic(file, "no key"));
    const json::object answer = Run({"token", "list"}, code);
    const std::string hint = TextAt(answer.at("error").as_object(), "hint");
    EXPECT_TRUE(hint.contains("back from a backup") && hint.contains("data.dir")) << hint;
    ASSERT_TRUE(WriteFileAtomic(file, whole));
  }
}

TEST_F(DataRoomsTest, WhatACommandSignsReachesTheAnchor) {
  Pause();
  const std::uint64_t paused = Anchored();
  EXPECT_GT(paused, 0U);
  RunAnchored({"token", "keygen", "--kid", "k1"});
  EXPECT_GT(Anchored(), paused);
}

TEST_F(DataRoomsTest, ACommandWritesToNoChainThatIsShorterThanTheAnchorSays) {
  Pause();
  for (const auto& file : fs::directory_iterator(folder_.path())) {
    const std::string name = file.path().filename().string();
    if (name == "ledger" || name.starts_with("control.db")) fs::remove_all(file.path());
  }
  const json::object answer = Pause(kExitFailed);
  EXPECT_EQ(answer.at("error").at("code").as_string(), "LEDGER_DAMAGED");
}

TEST_F(DataRoomsTest, EveryOrderIsOnRecordWithWhoGaveIt) {
  Pause();
  RunAnchored({"token", "keygen", "--kid", "k1"});
  const auto records = Records();
  ASSERT_EQ(records.size(), 2U);
  for (const json::object& record : records) {
    EXPECT_EQ(TextAt(record.at("payload").as_object(), "by"), OperatorName())
        << json::serialize(record);
  }
}

TEST_F(DataRoomsTest, ARoomThatCannotBeOpenedLeavesTheOthers) {
  SystemClock clock;
  Settings settings;
  settings.data.dir = folder_.path();
  ASSERT_TRUE(WriteFileAtomic(folder_.path() / "redaction.key", "no key"));

  const auto rooms = DataRooms::Open(settings, clock);
  ASSERT_TRUE(rooms) << Describe(rooms.error());
  EXPECT_TRUE((*rooms)->store());
  EXPECT_FALSE((*rooms)->redaction());
  EXPECT_FALSE((*rooms)->ledger());
  EXPECT_FALSE(DataRooms::OpenWhole(settings, clock));
}

}  // namespace
}  // namespace falconer::app
