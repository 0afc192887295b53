#include "app/quota/quota_commands.h"

#include <gtest/gtest.h>

#include "base/async/clock.h"
#include "ledger/reader.h"
#include "model/health.h"
#include "tests/support/command_bench.h"
#include "tests/support/store_bench.h"

namespace falconer::app {
namespace {

class QuotaCommandsTest : public test::CommandBench {
 protected:
  std::unique_ptr<store::SqliteStore> OpenStore() {
    return store::SqliteStore::Open(folder_.path() / "control.db", clock_).value();
  }
  // The newest record of a tenant's chain.
  json::object Newest(const std::string& tenant) {
    const auto paths = ledger::ChainPaths::Of(folder_.path(), TenantId(tenant));
    auto reader = ledger::ChainReader::Open(paths.folder);
    EXPECT_TRUE(reader) << reader.error().message();
    const auto record = reader->At(reader->LastSeq().value());
    return ledger::RecordToJson(record->view()).value();
  }

  SystemClock clock_;
};

TEST_F(QuotaCommandsTest, ShowsTheLimitsOfTheSettingsAndWhatIsUsed) {
  const json::object answer = Run({"quota", "get", "--set", "quota.actions_per_minute=7"});
  EXPECT_EQ(TextAt(answer, "tenant"), "local");
  EXPECT_EQ(answer.at("quota").at("max_actions_per_minute"), 7);
  EXPECT_EQ(answer.at("quota").at("max_concurrent_sessions"), 10);
  EXPECT_EQ(answer.at("quota").at("max_artifact_bytes"), 536870912);
  EXPECT_EQ(answer.at("use").at("sessions"), 0);
  EXPECT_TRUE(answer.at("own_limits").as_array().empty());
  EXPECT_TRUE(Text({"quota", "get"}).contains("max_step_tokens"));
}

TEST_F(QuotaCommandsTest, SetsLimitsOfOneTenantAndTakesThemBack) {
  const json::object set = Run({"quota", "set", "--tenant", "acme", "max_actions_per_minute=60",
                                "max_artifact_bytes=1GiB", "max_concurrent_sessions=0"});
  EXPECT_EQ(set.at("quota").at("max_actions_per_minute"), 60);
  EXPECT_EQ(set.at("quota").at("max_artifact_bytes"), 1073741824);
  EXPECT_EQ(set.at("own_limits").as_array().size(), 3U);
  const json::object record = Newest("acme");
  EXPECT_EQ(TextAt(record, "kind"), "operator");
  EXPECT_EQ(record.at("payload").at("event").as_string(), "quota_set");
  EXPECT_EQ(record.at("payload").at("limits").at("max_actions_per_minute"), 60);

  const json::object other = Run({"quota", "get"});
  EXPECT_EQ(other.at("quota").at("max_actions_per_minute"), 120);
  EXPECT_EQ(other.at("tenants_with_own_limits"), json::array{"acme"});
  const json::object back =
      Run({"quota", "set", "--tenant", "acme", "max_actions_per_minute=default"});
  EXPECT_EQ(back.at("quota").at("max_actions_per_minute"), 120);
}

TEST_F(QuotaCommandsTest, RefusesLimitsThatAreNone) {
  for (const char* wrong :
       {"max_actions_per_minute", "max_actions_per_minute=-1", "max_actions_per_minute=many",
        "max_actions=5", "max_step_tokens=1000001"}) {
    const json::object answer = Run({"quota", "set", "--tenant", "acme", wrong}, kExitUsage);
    EXPECT_EQ(answer.at("error").at("code").as_string(), "INVALID_ARGUMENT") << wrong;
  }
  Run({"quota", "set", "max_step_tokens=5"}, kExitUsage);
  Run({"quota", "set", "--tenant", "acme"}, kExitUsage);
  const json::object meant =
      Run({"quota", "set", "--tenant", "acme", "max_step_token=5"}, kExitUsage);
  EXPECT_TRUE(TextAt(meant.at("error").as_object(), "message").contains("max_step_tokens?"));
}

TEST_F(QuotaCommandsTest, ListsAndResetsCircuits) {
  EXPECT_TRUE(Text({"breakers", "list"}).contains("every circuit is closed"));
  {
    const auto store = OpenStore();
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(test::Finish(store->NoteOutcome({.key = {TenantId("acme"), "shop.test"},
                                                   .limits = {},
                                                   .outcome = store::SiteOutcome::kDown})));
    }
  }
  const json::object listed = Run({"breakers", "list"});
  ASSERT_EQ(listed.at("circuits").as_array().size(), 1U);
  const json::object row = listed.at("circuits").at(0).as_object();
  EXPECT_EQ(TextAt(row, "domain"), "shop.test");
  EXPECT_EQ(TextAt(row, "state"), "open");
  EXPECT_TRUE(Run({"breakers", "list", "--tenant", "other"}).at("circuits").as_array().empty());
  EXPECT_TRUE(Text({"breakers", "list"}).contains("acme/shop.test"));

  EXPECT_EQ(TextAt(Run({"health"}), "status"), "degraded");
  EXPECT_EQ(Run({"breakers", "reset", "--domain", "other.test"}).at("reset"), 0);
  EXPECT_EQ(Run({"breakers", "reset", "--tenant", "acme"}).at("reset"), 1);
  EXPECT_EQ(Newest("acme").at("payload").at("event").as_string(), "breakers_reset");
  EXPECT_EQ(TextAt(Run({"health"}), "status"), "healthy");
}

TEST_F(QuotaCommandsTest, HealthCountsSessionsAndTellsOfPauses) {
  ASSERT_TRUE(test::Finish(
      OpenStore()->AcquireLease({.key = {TenantId("acme"), WorkflowId("w1")}, .owner = "p1"})));
  Run({"pause", "--tenant", "acme", "--reason", "too much"});
  const json::object health = Run({"health"});
  EXPECT_EQ(health.at("active_sessions"), 1);
  EXPECT_EQ(health.at("open_circuits"), 0);
  ASSERT_EQ(health.at("pauses").as_array().size(), 1U);
  EXPECT_EQ(TextAt(health.at("pauses").at(0).as_object(), "reason"), "too much");
  EXPECT_TRUE(Text({"health"}).contains("tenant acme is paused"));
  EXPECT_EQ(TextAt(health, "status"), "partly_paused");
}

TEST_F(QuotaCommandsTest, WhatIsPausedIsNotHealthy) {
  Run({"pause", "--reason", "incident"});
  EXPECT_EQ(TextAt(Run({"health"}), "status"), "paused");
  const std::string text = Text({"health"});
  EXPECT_TRUE(text.starts_with("paused: ")) << text;
  EXPECT_TRUE(text.contains("everything is paused since ")) << text;
  EXPECT_TRUE(text.contains("`falconer resume` ends it")) << text;
  Run({"resume"});
  Run({"pause", "--tenant", "local", "--reason", "ours"});
  EXPECT_EQ(TextAt(Run({"health"}), "status"), "paused") << "that of whoever asks";
  Run({"resume", "--tenant", "local"});
  EXPECT_EQ(TextAt(Run({"health"}), "status"), "healthy");
}

TEST(HealthTest, ASiteThatIsDownDegradesAndManyAreUnhealthy) {
  EXPECT_EQ(model::HealthOf(0), model::Health::kHealthy);
  EXPECT_EQ(model::HealthOf(1), model::Health::kDegraded);
  EXPECT_EQ(model::HealthOf(5), model::Health::kDegraded);
  EXPECT_EQ(model::HealthOf(6), model::Health::kUnhealthy);
}

}  // namespace
}  // namespace falconer::app
