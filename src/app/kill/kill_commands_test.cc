#include "app/kill/kill_commands.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/kill/evidence.h"
#include "base/async/clock.h"
#include "base/sha256.h"
#include "ledger/reader.h"
#include "ledger/signed_json.h"
#include "tests/support/command_bench.h"
#include "tests/support/store_bench.h"

namespace falconer::app {
namespace {

namespace fs = std::filesystem;

class KillCommandsTest : public test::CommandBench {
 protected:
  fs::path data() const override { return folder_.path() / "data"; }
  fs::path out() const { return folder_.path() / "out"; }

  json::object Kill(int code = kExitOk) {
    return Run({"kill", "--reason", "incident 7", "--out", out().string()}, code);
  }
  static json::object StepOf(const json::object& answer, std::string_view name) {
    for (const json::value& step : answer.at("steps").as_array()) {
      if (TextAt(step.as_object(), "step") == name) return step.as_object();
    }
    return {};
  }
  std::optional<store::Pause> PauseOf(const std::string& tenant) {
    const auto store = store::SqliteStore::Open(data() / "control.db", clock_).value();
    return test::Finish(store->FindPause(TenantId(tenant))).value();
  }
  // The events on record in a tenant's chain.
  std::vector<std::string> Events(const std::string& tenant) {
    const auto paths = ledger::ChainPaths::Of(data(), TenantId(tenant));
    auto reader = ledger::ChainReader::Open(paths.folder);
    std::vector<std::string> events;
    if (!reader) return events;
    const ledger::RecordFilter filter{.kind = ledger::RecordKind::kOperator};
    for (const auto& record : reader->Query(filter, 1, 100)->records) {
      const auto payload = ParseJsonObject(record.view().fields.payload).value();
      events.push_back(TextAt(payload, "event"));
    }
    return events;
  }

  SystemClock clock_;
};

TEST_F(KillCommandsTest, PausesAndResumesEverythingOrOneTenant) {
  Run({"pause", "--tenant", "acme", "--reason", "too much"});
  EXPECT_TRUE(PauseOf("acme"));
  EXPECT_FALSE(PauseOf("other"));
  const json::object all = Run({"pause", "--reason", "incident"});
  EXPECT_EQ(TextAt(all.at("pause").as_object(), "reason"), "incident");
  EXPECT_EQ(PauseOf("other")->reason, "incident");

  const json::object resumed = Run({"resume"});
  EXPECT_TRUE(IsTrueAt(resumed, "was_paused"));
  EXPECT_EQ(resumed.at("still_paused").as_array().size(), 1U);
  EXPECT_FALSE(PauseOf("other"));
  EXPECT_TRUE(PauseOf("acme"));
  EXPECT_TRUE(Text({"resume", "--tenant", "acme"}).contains("the pause is over"));
  EXPECT_FALSE(PauseOf("acme"));
  EXPECT_TRUE(Text({"resume"}).contains("no such pause"));
  EXPECT_EQ(Events("local"), (std::vector<std::string>{"pause", "resume"}));
  EXPECT_EQ(Events("acme"), (std::vector<std::string>{"pause", "resume"}));
}

TEST_F(KillCommandsTest, SaysWhatIsPausedAndHowToGoOn) {
  const std::string one = Text({"pause", "--tenant", "acme", "--reason", "too much"});
  for (const std::string_view part :
       {"tenant acme is paused since ", " by ", ": too much", "nothing new begins",
        "no token is revoked", "`falconer resume --tenant acme` ends the pause"})
    EXPECT_TRUE(one.contains(part)) << part << " in\n" << one;
  const std::string all = Text({"pause", "--reason", "incident"});
  EXPECT_TRUE(all.contains("everything is paused since ")) << all;
  EXPECT_TRUE(all.contains("`falconer resume` ends the pause")) << all;
  const std::string resumed = Text({"resume"});
  EXPECT_TRUE(resumed.contains("tokens that were revoked stay revoked")) << resumed;
  EXPECT_TRUE(resumed.contains("tenant acme is still paused: too much")) << resumed;
  EXPECT_TRUE(resumed.contains("`falconer resume --tenant acme`")) << resumed;
}

TEST_F(KillCommandsTest, KillSaysWhatIsPausedWhatIsRevokedAndHowToGoOn) {
  const std::string text =
      Text({"kill", "--reason", "incident 7", "--out", out().string()}, kExitOk);
  for (const std::string_view part :
       {"pause  everything: nothing new begins", "revoke every token issued until now is revoked",
        "export ", "`falconer resume` ends the pause", "`falconer token issue`"})
    EXPECT_TRUE(text.contains(part)) << part << " in\n" << text;
}

TEST_F(KillCommandsTest, APauseThatCannotBeRecordedIsSaidToBeInForce) {
  Run({"pause", "--reason", "first"});
  Run({"resume"});
  ASSERT_TRUE(WriteFileAtomic(data() / "redaction.key", "short"));
  const json::object answer = Run({"pause", "--reason", "incident"}, kExitUsage);
  const json::object& error = answer.at("error").as_object();
  EXPECT_TRUE(TextAt(error, "message").contains("in force, but not on record"))
      << json::serialize(answer);
  EXPECT_TRUE(TextAt(error, "hint").contains("redaction.key back from a backup"))
      << json::serialize(answer);
  EXPECT_TRUE(PauseOf("local"));
}

TEST_F(KillCommandsTest, APauseNeedsAReason) {
  Run({"pause"}, kExitUsage);
  Run({"kill"}, kExitUsage);
  Run({"pause", "--reason", std::string(201, 'x')}, kExitUsage);
  EXPECT_FALSE(PauseOf("local"));
}

TEST_F(KillCommandsTest, OneCommandPausesRevokesAndSavesTheEvidence) {
  Run({"token", "keygen", "--algorithm", "EdDSA", "--kid", "k1"});
  const json::object token = Run({"token", "issue", "--agent", "a", "--capability", "READ"});
  Run({"quota", "set", "--tenant", "acme", "max_step_tokens=9"});

  const json::object killed = Kill();

  EXPECT_TRUE(IsTrueAt(killed, "ok"));
  EXPECT_EQ(PauseOf("anybody")->reason, "incident 7");
  EXPECT_EQ(StepOf(killed, "revoke").at("revoked"), 1);
  const json::object refused = Run({"token", "verify", TextAt(token, "token")}, kExitFailed);
  EXPECT_EQ(refused.at("error").at("details").at("reason").as_string(), "all_revoked");
  EXPECT_EQ(Events("local"), (std::vector<std::string>{"kill_pause", "kill_revoke",
                                                       "kill_export_begun", "kill_export"}));
  const json::object evidence = StepOf(killed, "export");
  EXPECT_EQ(evidence.at("chains").as_array().size(), 2U);
}

TEST_F(KillCommandsTest, TheEvidenceCanBeCheckedByItself) {
  Run({"quota", "set", "--tenant", "acme", "max_step_tokens=9"});
  const json::object evidence = StepOf(Kill(), "export");
  fs::remove_all(data());

  const test::Printed verified = test::RunCommand({"audit", "verify", "--json"}, out());
  EXPECT_EQ(verified.code, kExitOk) << verified.all();
  EXPECT_EQ(ParseJsonObject(verified.out)->at("chains").as_array().size(), 2U) << verified.out;

  const std::string manifest = ReadFile(out() / kManifestName).value();
  EXPECT_EQ(Sha256Hex(manifest), TextAt(evidence, "manifest_sha256"));
  const auto key = ledger::PublicKey::Load(ledger::SigningKey::PublicKeyPath(out())).value();
  const auto signed_by_us = ledger::ParseSignedJson(manifest, std::span(&key, 1));
  ASSERT_TRUE(signed_by_us) << signed_by_us.error().message();
  for (const json::value& file : signed_by_us->at("files").as_array()) {
    const fs::path path = out() / TextAt(file.as_object(), "path");
    EXPECT_EQ(Sha256Hex(ReadFile(path).value()), TextAt(file.as_object(), "sha256")) << path;
  }
  EXPECT_EQ(signed_by_us->at("files").as_array().size(), evidence.at("files"));
}

TEST_F(KillCommandsTest, EveryStepIsTriedAlsoWhenAnotherFails) {
  fs::create_directories(out());
  ASSERT_TRUE(WriteFileAtomic(out() / "in-the-way", "x"));
  const json::object killed = Kill(kExitFailed);
  EXPECT_FALSE(IsTrueAt(killed, "ok"));
  EXPECT_TRUE(IsTrueAt(StepOf(killed, "pause"), "ok"));
  EXPECT_TRUE(IsTrueAt(StepOf(killed, "revoke"), "ok"));
  EXPECT_EQ(StepOf(killed, "export").at("error").at("code").as_string(), "ALREADY_EXISTS");
  EXPECT_TRUE(PauseOf("anybody"));
  EXPECT_EQ(Events("local").back(), "kill_export") << "that it failed is on record too";
}

TEST_F(KillCommandsTest, ADamagedStoreDoesNotKeepTheEvidenceFromBeingSaved) {
  Run({"pause", "--tenant", "acme", "--reason", "first"});
  ASSERT_TRUE(WriteFileAtomic(data() / "control.db", "this is no database"));
  fs::remove(data() / "control.db-wal");
  const json::object killed = Kill(kExitFailed);
  EXPECT_FALSE(IsTrueAt(StepOf(killed, "pause"), "ok"));
  EXPECT_FALSE(IsTrueAt(StepOf(killed, "export"), "ok"));
  EXPECT_TRUE(fs::exists(out() / kManifestName));
  EXPECT_TRUE(Text({"kill", "--reason", "again", "--out", (out() / "two").string()}, kExitFailed)
                  .contains("FAILED pause"));
}

TEST_F(KillCommandsTest, TheEvidenceGoesIntoTheDataFolderWhenNothingElseIsSaid) {
  Run({"pause", "--reason", "first"});
  const json::object killed = Run({"kill", "--reason", "again"});
  const fs::path folder = TextAt(StepOf(killed, "export"), "folder");
  EXPECT_EQ(folder.parent_path(), data() / "evidence");
  EXPECT_TRUE(fs::exists(folder / kManifestName));
  EXPECT_EQ(PauseOf("local")->reason, "first") << "the first reason stays";
}

}  // namespace
}  // namespace falconer::app
