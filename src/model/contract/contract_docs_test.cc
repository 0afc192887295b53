// The page for people names what the tables have, and its examples are accepted.

#include <filesystem>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "base/file.h"
#include "model/contract/contract.h"
#include "model/contract/plan_dag.h"
#include "model/contract/result.h"

namespace falconer::model {
namespace {

std::string Page() {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "../../../docs/contract.md";
  auto text = ReadFile(path);
  EXPECT_TRUE(text) << path;
  return text.value_or("");
}

std::string Code(std::string_view word) {
  return "`" + std::string(word) + "`";
}

// The blocks marked as JSON.
std::vector<std::string> Examples(const std::string& page) {
  constexpr std::string_view kOpening = "```json\n";
  std::vector<std::string> out;
  for (std::size_t at = page.find(kOpening); at != std::string::npos;
       at = page.find(kOpening, at)) {
    at += kOpening.size();
    const std::size_t end = page.find("```", at);
    out.push_back(page.substr(at, end - at));
    at = end;
  }
  return out;
}

TEST(ContractDocsTest, NamesEveryRuleWithItsFailure) {
  const std::string page = Page();
  for (const RuleTraits& row : AllRuleTypes()) {
    EXPECT_TRUE(page.contains(Code(row.name))) << row.name;
    EXPECT_TRUE(page.contains(Code(row.failure_code))) << row.failure_code;
  }
  for (const auto& [value, name] : kInvariants) EXPECT_TRUE(page.contains(Code(name))) << name;
  for (const auto& [value, name] : kFieldOps) EXPECT_TRUE(page.contains(Code(name))) << name;
  for (const auto& [value, name] : kEscalationModes) EXPECT_TRUE(page.contains(Code(name))) << name;
  for (const auto& [value, name] : kRetryProfiles) EXPECT_TRUE(page.contains(Code(name))) << name;
  for (const auto& [value, name] : kAttemptPhases) EXPECT_TRUE(page.contains(Code(name))) << name;
}

TEST(ContractDocsTest, ItsExamplesAreAccepted) {
  const std::vector<std::string> examples = Examples(Page());
  ASSERT_EQ(examples.size(), 4U);

  const auto contract = ActionContract::FromJson(*ParseJson(examples[0]));
  ASSERT_TRUE(contract) << Describe(contract.error());
  EXPECT_TRUE(contract->Validate());

  std::istringstream lines(examples[1]);
  std::set<RuleType> seen;
  for (std::string line; std::getline(lines, line);) {
    const auto rule = VerificationRule::FromJson(*ParseJson(line));
    ASSERT_TRUE(rule) << line << ": " << Describe(rule.error());
    seen.insert(rule->type);
  }
  EXPECT_EQ(seen.size(), AllRuleTypes().size()) << "a rule has no example";

  const auto report = VerificationReport::FromJson(*ParseJson(examples[2]));
  EXPECT_TRUE(report) << Describe(report.error());
  const auto plan = TaskPlan::FromJson(*ParseJson(examples[3]));
  EXPECT_TRUE(plan) << Describe(plan.error());
}

TEST(ContractDocsTest, ShowsTheIdOfItsExample) {
  const auto contract = ActionContract::FromJson(json::object{{"workflow_id", "w1"}});
  EXPECT_TRUE(Page().contains(Code(contract->Identify()->action_id.value())));
}

}  // namespace
}  // namespace falconer::model
