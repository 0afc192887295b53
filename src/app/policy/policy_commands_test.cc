#include "app/policy/policy_commands.h"

#include <gtest/gtest.h>

#include "app/policy/example_policies.h"
#include "tests/support/command_bench.h"
#include "tests/support/turn_story.h"

namespace falconer::app {
namespace {

class PolicyCommandsTest : public test::CommandBench {
 protected:
  PolicyCommandsTest() : CommandBench("policy") {}

  std::string File(std::string_view text, std::string_view name = "p.yaml") {
    const auto path = folder_.path() / name;
    EXPECT_TRUE(WriteFileAtomic(path, text));
    return path.string();
  }
};

TEST_F(PolicyCommandsTest, InitWritesAnExampleThatIsValid) {
  for (const char* name :
       {"purchase-limit", "mail-read-only", "domain-allowlist", "working-hours"}) {
    const std::string file = (folder_.path() / name).string();
    Text({"init", file, "--from", name});
    EXPECT_EQ(Run({"validate", file}).at("name").as_string(), name);
    const auto page = ReadFile(std::filesystem::path(__FILE__).parent_path() /
                               "../../../docs/policies" / (std::string(name) + ".yaml"));
    ASSERT_TRUE(page);
    EXPECT_EQ(*page, ReadFile(file).value());
  }
}

TEST_F(PolicyCommandsTest, InitKeepsWhatIsThere) {
  const std::string file = File("mine");
  EXPECT_TRUE(Text({"init", file}, kExitFailed).contains("ALREADY_EXISTS"));
  EXPECT_EQ(ReadFile(file).value(), "mine");
  EXPECT_TRUE(
      Text({"init", file + "2", "--from", "nothing"}, kExitUsage).contains("--from nothing"));
}

TEST_F(PolicyCommandsTest, ValidateNamesThePlaceOfAMistake) {
  const std::string file =
      File("policy: {name: p, version: \"1\"}\nrules:\n  - {name: a, when: {}, then: allow}\n");
  const json::object answer = Run({"validate", file}, kExitUsage);
  EXPECT_EQ(answer.at("error").at("code").as_string(), "INVALID_ARGUMENT");
  EXPECT_EQ(answer.at("error").at("details").at("line"), 3);
  EXPECT_EQ(answer.at("error").at("details").at("path").as_string(), "rules[0].when");
  const std::string text = Text({"validate", file}, kExitUsage);
  EXPECT_TRUE(text.contains("p.yaml: line 3, column")) << text;
  EXPECT_TRUE(text.contains("docs/policy.md")) << text;
}

TEST_F(PolicyCommandsTest, TestDecidesByTheFactsGiven) {
  const std::string file = File(PurchaseLimitPolicy());
  const std::vector<std::string> words = {
      "test", file, "--agent", "shopper", "--capability", "PURCHASE", "--url", "https://ebay.com/"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const std::string allowed = Text(with({"--amount", "50 USD"}));
  EXPECT_TRUE(allowed.contains("allow: rule \"up to 100\"")) << allowed;
  EXPECT_TRUE(allowed.contains("at most 10 in 24h, counted as [\"up to 100\"")) << allowed;
  const std::string asked = Text(with({"--amount", "250 USD"}), kExitFailed);
  EXPECT_TRUE(asked.contains("shopper wants to buy for 250 USD at ebay.com")) << asked;
  Text(with({"--amount", "250 USD", "--expect", "require_approval"}));
  Text(with({"--amount", "50 USD", "--expect", "deny"}), kExitFailed);
  EXPECT_EQ(Run(with({"--amount", "501 USD"}), kExitFailed).at("decision").at("rule").as_string(),
            "no purchase over 500");
}

TEST_F(PolicyCommandsTest, TestJudgesTheRiskOfAButtonAndARequest) {
  const std::string file = File(PurchaseLimitPolicy());
  const json::object button = Run({"test", file, "--action", "click", "--url", "https://ebay.com/",
                                   "--label", "Buy now for $650.00"},
                                  kExitFailed);
  EXPECT_EQ(button.at("risk").at("level").as_string(), "high");
  EXPECT_EQ(button.at("decision").at("rule").as_string(), "no purchase over 500");
  const json::object request =
      Run({"test", file, "--url", "https://ebay.com/item/5", "--method", "DELETE"}, kExitFailed);
  EXPECT_EQ(request.at("decision").at("capability").as_string(), "DELETE");
}

TEST_F(PolicyCommandsTest, ExplainShowsEveryConditionWithItsFact) {
  const std::string file = File(WorkingHoursPolicy());
  const std::string text = Text({"explain", file, "--capability", "SUBMIT", "--url",
                                 "https://a.com/", "--at", "2026-01-05T08:30:00Z"});
  EXPECT_TRUE(text.contains("constrain \"work in working hours\" for SUBMIT")) << text;
  EXPECT_TRUE(text.contains("saw mon 09:30")) << text;
  EXPECT_TRUE(text.contains("constrain: rule \"work in working hours\" allows it")) << text;
  EXPECT_TRUE(text.contains("at most 600 in 1h, counted as [\"work in working hours\"")) << text;
}

constexpr char kNoBuying[] = R"(
policy: {name: no-buying, version: "1"}
navigate:
  - name: shop
    when: {domain: shop.test}
    then: allow
rules:
  - name: no buying
    when: {capability: PURCHASE}
    then: {deny: nothing is bought}
  - name: the rest
    when: always
    then: allow
)";

TEST_F(PolicyCommandsTest, SimulateAsksAboutWhatIsOnRecord) {
  test::StoryChain chain;
  test::TurnStory bought;
  model::PolicyFacts facts{.tenant = "acme", .agent = "tester"};
  facts.capabilities = {model::Capability::kPurchase};
  facts.url = "https://shop.test/buy";
  auto result = bought.Result();
  result.metadata["rulings"] = json::array{{{"id", "s1.t000001/r1"},
                                            {"about", "request"},
                                            {"effect", "allow"},
                                            {"sets", json::array{"rules"}},
                                            {"facts", facts.ToJson()}}};
  bought.Seal(std::move(result));
  chain.Write(bought);
  chain.Append(ledger::RecordKind::kRefusal, test::TurnStory().Refusal());
  chain.Close();
  const std::string folder = chain.chain.folder.path().string();

  const json::object answer = Run({"simulate", File(kNoBuying), "--replay", folder});

  ASSERT_EQ(answer.at("turns").as_array().size(), 2U) << json::serialize(answer);
  const json::value& first = answer.at("turns").at(0);
  EXPECT_EQ(first.at("would_be").as_string(), "deny") << json::serialize(answer);
  EXPECT_EQ(first.at("about").as_string(), "request");
  EXPECT_EQ(first.at("rule").as_string(), "no buying");
  const json::value& second = answer.at("turns").at(1);
  EXPECT_EQ(second.at("happened").as_string(), "refused");
  EXPECT_EQ(second.at("would_be").as_string(), "deny") << "evil.test is not the shop";
  EXPECT_EQ(answer.at("deny"), 2);
  const std::string text = Text({"simulate", File(kNoBuying), "--replay", folder});
  EXPECT_TRUE(text.contains("2 would be denied")) << text;
}

TEST_F(PolicyCommandsTest, SimulateSaysWhatIsMissing) {
  const std::string file = File(kNoBuying);
  const std::string text = Text(
      {"simulate", file, "--replay", folder_.path().string(), "--tenant", "nobody"}, kExitFailed);
  EXPECT_TRUE(text.contains("nobody")) << text;
}

TEST_F(PolicyCommandsTest, RefusesWordsThatMakeNoSense) {
  const std::string file = File(DomainAllowlistPolicy());
  const std::vector<std::string> rows[] = {
      {"--capability", "FLY"},
      {"--action", "fly"},
      {"--amount", "5"},
      {"--rules", "all"},
      {"--expect", "maybe"},
      {"--at", "noon"},
      {"--url", "https://a.com", "--url", "https://b.com"},
  };
  for (std::vector<std::string> row : rows) {
    const std::string option = row.front();
    row.insert(row.begin(), {"test", file});
    EXPECT_TRUE(Text(row, kExitUsage).contains(option)) << option;
  }
}

}  // namespace
}  // namespace falconer::app
