#include "agent/loop/run_config.h"

#include <gtest/gtest.h>

#include "agent/tools/tool_descriptor.h"

namespace falconer::agent {
namespace {

RunConfig Most() {
  return {.max_steps = 12,
          .max_wall_time = std::chrono::seconds(90),
          .max_tokens = 1000,
          .max_cost_micros = 500'000,
          .allowed_tools = {"browser_click", "browser_snapshot"}};
}

std::string Refusal(json::object wish) {
  if (!wish.contains("task")) wish["task"] = "Buy tea.";
  const auto read = ParseRunWish(wish, Most());
  return read ? "taken" : read.error().message();
}

TEST(RunConfigTest, AWishSaysOnlyTheTask) {
  const auto wish = ParseRunWish(json::object{{"task", "Buy tea."}}, Most());

  ASSERT_TRUE(wish);
  EXPECT_EQ(wish->config.max_steps, 12);
  EXPECT_EQ(wish->config.allowed_tools.size(), 2U);
  EXPECT_FALSE(wish->config.allow_ghost);
}

TEST(RunConfigTest, AWishMayOnlyNarrow) {
  EXPECT_EQ(Refusal({{"max_steps", 12}}), "taken");
  EXPECT_TRUE(Refusal({{"max_steps", 13}}).starts_with("max_steps: "));
  EXPECT_TRUE(Refusal({{"max_steps", 0}}).starts_with("max_steps: "));
  EXPECT_TRUE(Refusal({{"max_wall_time_ms", 90'001}}).starts_with("max_wall_time_ms: "));
  EXPECT_TRUE(Refusal({{"max_wall_time_ms", 4999}}).starts_with("max_wall_time_ms: "));
  EXPECT_TRUE(Refusal({{"max_failures", 4}}).starts_with("max_failures: "));
  EXPECT_TRUE(Refusal({{"max_tokens", 1001}}).starts_with("max_tokens: "));
  EXPECT_TRUE(Refusal({{"max_cost", 0.51}}).starts_with("max_cost: "));
  EXPECT_EQ(Refusal({{"max_cost", 0.5}}), "taken");
}

TEST(RunConfigTest, AWishNamesToolsAndDomainsThatExist) {
  EXPECT_EQ(Refusal({{"allowed_tools", {"browser_click"}}}), "taken");
  EXPECT_EQ(Refusal({{"allowed_tools", {"browser_evaluate"}}}),
            "allowed_tools: browser_evaluate is not in agent.internal.allowed_tools");
  EXPECT_TRUE(Refusal({{"allowed_tools", json::array()}}).starts_with("allowed_tools: "));
  EXPECT_TRUE(Refusal({{"allowed_domains", {"http://a/"}}}).starts_with("allowed_domains: "));
  EXPECT_TRUE(Refusal({{"speed", 3}}).starts_with("speed: "));
}

TEST(RunConfigTest, ATaskHasWordsAndNotTooMany) {
  EXPECT_EQ(Refusal({{"task", " "}}), "task: says nothing");
  EXPECT_EQ(Refusal({{"task", std::string(4000, 'x')}}), "taken");
  EXPECT_EQ(Refusal({{"task", std::string(4001, 'x')}}), "task: has more than 4000 characters");
  std::string letters;
  for (int i = 0; i < 4000; ++i) letters += "ü";
  EXPECT_EQ(Refusal({{"task", letters}}), "taken") << "characters, not bytes";
  EXPECT_EQ(Refusal({{"task", "a\x1b[2J"}}), "task: has a control character in it");
}

TEST(RunConfigTest, WhatIsRecordedIsReadAgain) {
  RunConfig config = Most();
  config.allowed_domains = {"a.example"};
  config.session = "s";

  const auto read = RunConfig::FromJson(config.ToJson());

  ASSERT_TRUE(read);
  EXPECT_EQ(read->ToJson(), config.ToJson());
}

TEST(RunConfigTest, EnabledNeedsAProviderAndTools) {
  Settings settings = DefaultSettings();
  EXPECT_TRUE(RunConfigFrom(settings)) << "off needs nothing";

  settings.agent_loop.enabled = true;
  EXPECT_TRUE(RunConfigFrom(settings).error().message().contains("agent.providers names none"));
  settings.agent.providers.push_back(json::object{{"name", "near"}});
  EXPECT_TRUE(RunConfigFrom(settings));
  settings.agent_loop.allowed_tools.clear();
  EXPECT_EQ(RunConfigFrom(settings).error().code(), ErrorCode::kInvalidSetting);
}

TEST(RunConfigTest, BadSettingsAreRefusedByName) {
  Settings settings = DefaultSettings();
  settings.agent_loop.max_cost = "cheap";
  EXPECT_TRUE(RunConfigFrom(settings).error().message().starts_with("agent.internal.max_cost: "));
  settings = DefaultSettings();
  settings.agent_loop.allowed_domains = {"not a host"};
  EXPECT_TRUE(
      RunConfigFrom(settings).error().message().starts_with("agent.internal.allowed_domains: "));
  const ToolDescriptor tool{.name = "browser_click"};
  EXPECT_EQ(CheckToolNames(Most(), {&tool}, {}).error().message(),
            "agent.internal.allowed_tools: there is no tool browser_snapshot");
}

TEST(RunConfigTest, AmountsAreExact) {
  EXPECT_EQ(ParseCostMicros("0"), 0);
  EXPECT_EQ(ParseCostMicros("0.5"), 500'000);
  EXPECT_EQ(ParseCostMicros("2.000001"), 2'000'001);
  for (const char* text : {"", ".5", "1.", "-1", "1.0000001", "1e3", "0,5", "9999999"})
    EXPECT_FALSE(ParseCostMicros(text)) << text;
}

TEST(RunConfigTest, ToolsOfNodesAreKnownByTheirNode) {
  const RunConfig config{.allowed_tools = {"weather__today"}};
  const json::array nodes = {json::object{{"name", "weather"}}};

  EXPECT_TRUE(CheckToolNames(config, {}, nodes)) << "it says later which tools it has";
  EXPECT_FALSE(CheckToolNames(config, {}, {}));
}

TEST(RunConfigTest, ARunThatIsTakenUpKeepsToTheSettingsOfToday) {
  const RunConfig before{.max_steps = 20,
                         .max_failures = 1,
                         .max_tokens = 0,
                         .max_cost_micros = 500,
                         .allowed_tools = {"browser_click", "browser_snapshot"},
                         .house_domains = {},
                         .allowed_domains = {"a.example"}};
  const RunConfig today{.max_steps = 5,
                        .max_failures = 3,
                        .max_tokens = 1000,
                        .max_cost_micros = 0,
                        .allowed_tools = {"browser_snapshot", "browser_type"},
                        .house_domains = {"*.example"}};

  const RunConfig now = Narrowed(before, today);

  EXPECT_EQ(now.max_steps, 5);
  EXPECT_EQ(now.max_failures, 1);
  EXPECT_EQ(now.max_tokens, 1000);
  EXPECT_EQ(now.max_cost_micros, 500);
  EXPECT_EQ(now.allowed_tools, std::vector<std::string>{"browser_snapshot"});
  EXPECT_EQ(now.house_domains, std::vector<std::string>{"*.example"});
  EXPECT_EQ(now.allowed_domains, std::vector<std::string>{"a.example"});
}

}  // namespace
}  // namespace falconer::agent
