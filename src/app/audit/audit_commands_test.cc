#include "app/audit/audit_commands.h"

#include "app/audit/audit_input.h"
#include "app/desk/option_values.h"
#include "tests/support/command_bench.h"
#include "tests/support/test_chain.h"

namespace falconer::app {
namespace {

class AuditCommandsTest : public test::CommandBench {
 protected:
  AuditCommandsTest() : CommandBench("audit") {
    chain_.options.segment_bytes = 1000;
    chain_.Fill(20);
  }

  std::filesystem::path data() const override { return chain_.folder.path(); }
  std::string File(std::string_view name) const { return (chain_.folder.path() / name).string(); }

  test::TestChain chain_;
};

TEST_F(AuditCommandsTest, ListsChains) {
  const json::object answer = Run({"list"});
  ASSERT_EQ(answer.at("chains").as_array().size(), 1U);
  EXPECT_EQ(answer.at("chains").as_array()[0].at("last_seq"), 20);
  EXPECT_TRUE(Text({"list"}).contains("acme"));
}

TEST_F(AuditCommandsTest, ShowsARecord) {
  EXPECT_EQ(Run({"show", "7"}).at("record").at("payload").at("turn_id").as_string(), "turn_7");
  EXPECT_TRUE(Text({"show", "7"}).contains("turn_id: \"turn_7\""));
  EXPECT_EQ(Run({"show", "99"}, kExitFailed).at("error").at("code").as_string(), "NOT_FOUND");
  EXPECT_EQ(Run({"show", "x"}, kExitUsage).at("error").at("code").as_string(), "INVALID_ARGUMENT");
}

TEST_F(AuditCommandsTest, WhatOthersWroteCannotMoveTheCursor) {
  const json::object payload{{"agent",
                              "a\xC2\x9B"
                              "2J"},
                             {"text", "pay\xE2\x80\xAEpal"}};
  {
    const auto writer = chain_.Writer();
    ASSERT_TRUE(chain_.Run(
        writer->Append({ledger::RecordKind::kTurnClosed, CanonicalJson(payload).value()})));
  }
  const std::string shown = Text({"show", "21"});
  EXPECT_TRUE(shown.contains("agent=a\\u{9b}2J")) << shown;
  EXPECT_TRUE(shown.contains("text: \"pay\\u{202e}pal\"")) << shown;
}

TEST_F(AuditCommandsTest, NamesTheTenantsThereAre) {
  const json::object unknown = Run({"query", "--tenant", "nobody"}, kExitFailed);
  const std::string alone = TextAt(unknown.at("error").as_object(), "message");
  EXPECT_TRUE(alone.contains("there is that of: acme")) << alone;
  const auto other = ledger::ChainPaths::Of(chain_.folder.path(), TenantId("second"));
  std::filesystem::copy(chain_.Paths().folder, other.folder,
                        std::filesystem::copy_options::recursive);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"query"}, {"export", "--output", File("out.csv")}}) {
    const json::object several = Run(words, kExitUsage);
    const std::string which = TextAt(several.at("error").as_object(), "message");
    EXPECT_TRUE(which.contains("--tenant") && which.contains("acme, second")) << which;
  }
  const json::object neither = Run({"query", "--tenant", "nobody"}, kExitFailed);
  const std::string both = TextAt(neither.at("error").as_object(), "message");
  EXPECT_TRUE(both.contains("there are those of: acme, second")) << both;
}

TEST_F(AuditCommandsTest, SaysWhatToDoAboutADamagedKey) {
  const auto key = ledger::SigningKey::PublicKeyPath(chain_.folder.path());
  ASSERT_TRUE(WriteFileAtomic(key, "no key"));
  const json::object answer = Run({"verify"}, kExitUsage);
  const std::string hint = TextAt(answer.at("error").as_object(), "hint");
  EXPECT_TRUE(hint.contains("backup")) << hint;
  const json::object given = Run({"verify", "--key", key.string()}, kExitUsage);
  EXPECT_FALSE(TextAt(given.at("error").as_object(), "hint").contains("backup"))
      << "that of the caller is his own";
}

TEST_F(AuditCommandsTest, QueriesInPages) {
  const json::object first = Run({"query", "--workflow", "even", "--limit", "4"});
  EXPECT_EQ(first.at("records").as_array().size(), 4U);
  EXPECT_EQ(first.at("next"), 10);
  const json::object last = Run({"query", "--workflow", "even", "--cursor", "10"});
  EXPECT_EQ(last.at("records").as_array().size(), 6U);
  EXPECT_TRUE(last.at("next").is_null());
  EXPECT_TRUE(Text({"query", "--limit", "1"}).contains("more: --cursor 2"));
}

TEST_F(AuditCommandsTest, RefusesWordsThatMakeNoSense) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"query", "--kind", "nonsense"},
        {"query", "--limit", "0"},
        {"query", "--start", "yesterday"},
        {"query", "--cursor", "-1"},
        {"export"},
        {"export", "--output", "x", "--format", "xml"},
        {"archive"}}) {
    EXPECT_EQ(Run(words, kExitUsage).at("ok"), false);
  }
  EXPECT_EQ(Run({"verify", "--tenant", "nobody"}, kExitFailed).at("error").at("code").as_string(),
            "NOT_FOUND");
}

TEST_F(AuditCommandsTest, VerifiesAndAnswersWithItsExitCode) {
  EXPECT_EQ(Run({"verify"}).at("chains").as_array()[0].at("records"), 20);
  std::string content = ReadFile(chain_.Paths().segment(1)).value();
  content[content.size() - 50] ^= 1;
  ASSERT_TRUE(WriteFileAtomic(chain_.Paths().segment(1), content));

  const json::object answer = Run({"verify"}, kExitFailed);

  EXPECT_EQ(answer.at("ok"), false);
  EXPECT_EQ(answer.at("chains").at(0).at("findings").at(0).at("finding").as_string(),
            "record_hash_mismatch");
  EXPECT_TRUE(Text({"verify"}, kExitFailed).contains("DAMAGED"));
}

TEST_F(AuditCommandsTest, VerifiesAgainstAKeptCheckpoint) {
  const std::string text = ReadFile(chain_.Paths().checkpoints()).value();
  ASSERT_TRUE(WriteFileAtomic(File("kept"), text));
  chain_.Fill(5);
  EXPECT_EQ(Run({"verify", "--checkpoint", File("kept")}).at("ok"), true);
  EXPECT_EQ(Run({"verify", "--since", File("kept")}).at("chains").at(0).at("records"), 5);
}

TEST_F(AuditCommandsTest, ProvesARecord) {
  const json::object proof = Run({"prove", "3"});
  EXPECT_EQ(proof.at("seq"), 3);
  EXPECT_EQ(proof.at("tree_size"), 20);
}

TEST_F(AuditCommandsTest, ExportsAndArchives) {
  EXPECT_EQ(
      Run({"export", "--output", File("o.csv"), "--format", "csv"}).at("metadata").at("count"), 20);
  EXPECT_TRUE(std::filesystem::exists(File("o.csv.meta.json")));
  EXPECT_GT(Run({"archive", "--archive", File("old")}).at("moved").as_array().size(), 2U);
  EXPECT_EQ(Run({"verify", "--archive", File("old")}).at("chains").at(0).at("records"), 20);
  EXPECT_EQ(Run({"show", "1", "--archive", File("old")}).at("record").at("seq"), 1);
}

TEST_F(AuditCommandsTest, AsksWhichChainWhenThereAreSeveral) {
  chain_.tenant = TenantId("other");
  chain_.Fill(1);
  EXPECT_EQ(Run({"show", "1"}, kExitUsage).at("error").at("code").as_string(), "INVALID_ARGUMENT");
  EXPECT_EQ(Run({"show", "1", "--tenant", "other"}).at("ok"), true);
  EXPECT_EQ(Run({"verify"}).at("chains").as_array().size(), 2U);
}

TEST_F(AuditCommandsTest, ReadsTimes) {
  EXPECT_EQ(TimeOf("--start", "1970-01-02"), 86'400'000);
  EXPECT_EQ(TimeOf("--start", "1970-01-01T00:00:05Z"), 5000);
  EXPECT_EQ(TimeOf("--start", "77"), 77);
  EXPECT_FALSE(TimeOf("--start", "1970-01-02 10:00"));
}

}  // namespace
}  // namespace falconer::app
