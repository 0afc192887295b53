#include "app/act/act_input.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::app {
namespace {

const ActDefaults kDefaults{.workflow = {}, .run = "run-1", .mode = ActMode::kReal};

constexpr std::string_view kGo =
    R"({"action_spec": {"action_type": "navigate", "url": "http://x.test/"}})";
constexpr std::string_view kClick =
    R"({"action_spec": {"action_type": "click", "selector": "#send"}})";
constexpr std::string_view kPlan = R"({"plan_id": "p", "steps": [
    {"step_id": "a", "contract": {}, "compensation": {"workflow_id": "w"}},
    {"step_id": "b", "contract": {"run_id": "mine", "escalation": {}}}]})";

ActInput Parsed(std::string_view text, const ActDefaults& defaults = kDefaults) {
  auto input = ParseActInput(text, defaults);
  EXPECT_TRUE(input) << (input ? "" : Describe(input.error()));
  return input.value_or(ActInput());
}

TEST(ActInputTest, OneContractGetsWhatPeopleNeedNotWrite) {
  const ActInput input = Parsed(kClick);

  EXPECT_EQ(input.shape, ActShape::kContract);
  ASSERT_EQ(input.items.size(), 1u);
  EXPECT_EQ(input.items[0].name, "1/1");
  EXPECT_EQ(input.items[0].what, "click #send");
  EXPECT_EQ(input.items[0].contract.at("workflow_id"), "cli");
  EXPECT_EQ(input.items[0].contract.at("run_id"), "run-1");
  EXPECT_EQ(input.items[0].contract.at("step_index"), 0);
  EXPECT_FALSE(input.items[0].contract.contains("dry_run"));
}

TEST(ActInputTest, WhatAContractSaysStays) {
  const ActInput input =
      Parsed(R"({"workflow_id": "w", "run_id": "r", "step_index": 7, "escalation": {}})");

  const json::object& contract = input.items.at(0).contract;
  EXPECT_EQ(contract.at("workflow_id"), "w");
  EXPECT_EQ(contract.at("run_id"), "r");
  EXPECT_EQ(contract.at("step_index"), 7);
  EXPECT_EQ(input.items[0].escalation, Escalation::kAskedFor);
}

TEST(ActInputTest, WorkflowAndDryRunOfTheCommandLineWin) {
  const ActInput input = Parsed(R"({"workflow_id": "w", "dry_run": false})",
                                {.workflow = "other", .run = "r", .mode = ActMode::kDry});

  EXPECT_EQ(input.items.at(0).contract.at("workflow_id"), "other");
  EXPECT_EQ(input.items.at(0).contract.at("dry_run"), true);
}

TEST(ActInputTest, ManyComeAsAListOrLineByLine) {
  for (const std::string& text :
       {fmt::format("[{}, {}]", kGo, kClick), fmt::format("{}\n\n{}\n", kGo, kClick),
        fmt::format("{}\r\n{}", kGo, kClick)}) {
    const ActInput input = Parsed(text);

    EXPECT_EQ(input.shape, ActShape::kContracts);
    ASSERT_EQ(input.items.size(), 2u) << text;
    EXPECT_EQ(input.items[1].name, "2/2");
    EXPECT_EQ(input.items[0].what, "navigate http://x.test/");
    EXPECT_EQ(input.items[1].contract.at("step_index"), 1) << "the same twice is two actions";
  }
}

TEST(ActInputTest, APlanGetsTheSameInEveryContract) {
  const ActInput input = Parsed(kPlan);

  EXPECT_EQ(input.shape, ActShape::kPlan);
  ASSERT_TRUE(input.plan);
  EXPECT_EQ(input.plan->steps[0].contract.workflow_id.value(), "cli");
  EXPECT_EQ(input.plan->steps[0].contract.run_id.value(), "run-1");
  EXPECT_EQ(input.plan->steps[0].compensation->run_id.value(), "run-1");
  EXPECT_EQ(input.plan->steps[0].compensation->workflow_id.value(), "w");
  EXPECT_EQ(input.plan->steps[1].contract.run_id.value(), "mine");
  EXPECT_EQ(input.plan->steps[1].contract.step_index, 1);
  EXPECT_EQ(input.items[1].name, "b");
  EXPECT_EQ(input.items[0].escalation, Escalation::kByDefault);
  EXPECT_EQ(input.items[1].escalation, Escalation::kAskedFor);
}

TEST(ActInputTest, NothingThatIsTypedIsShown) {
  const ActInput input =
      Parsed(R"({"action_spec": {"action_type": "fill", "selector": "#pw", "text": "hunter2"}})");
  EXPECT_EQ(input.items.at(0).what, "fill #pw");
}

struct BadRow {
  std::string_view text;
  ErrorCode code;
  std::string_view message;
};

TEST(ActInputTest, SaysWhatIsWrongAndWhere) {
  using enum ErrorCode;
  const BadRow rows[] = {
      {"", kInvalidArgument, "holds no contract"},
      {" \n ", kInvalidArgument, "holds no contract"},
      {"[]", kInvalidArgument, "holds no contract"},
      {"7", kInvalidArgument, "expected a contract, a list of contracts or a plan, got number"},
      {"{", kInvalidArgument, "line 1, column 2: not JSON"},
      {"{\n  \"a\": 1,\n  b\n}", kInvalidArgument, "line 3, column 3: not JSON"},
      {R"({"a": 1, "a": 2})", kInvalidArgument, "the key \"a\" is given twice"},
      {"{} trailing", kInvalidArgument, "line 1, column 4: not JSON"},
      {"{}\n\n  {\"a\" 1}\n", kInvalidArgument, "line 3, column 8: not JSON"},
      {"{}", kInvalidContract, "contract: is empty"},
      {R"({"surprise": 1})", kInvalidContract, "contract: surprise"},
      {R"({"action_spec": {"action_type": "fly"}})", kInvalidActionSpec,
       "contract: action_spec.action_type: "},
      {R"([{"intent": "a"}, {"intent": "b"}, {"action_spec": {"action_type": "click"}}])",
       kInvalidActionSpec, "contract 3: "},
      {R"([{"intent": "a"}, 5])", kInvalidContract, "contract 2: expected object, got number"},
      {R"([{"plan_id": "p", "steps": []}])", kInvalidContract, "contract 1: is a plan"},
      {R"({"run_id": ""})", kInvalidContract, "contract: run_id"},
      {R"({"run_id": 3})", kInvalidContract, "contract: run_id: expected string"},
      {R"({"plan_id": "p", "steps": []})", kInvalidContract, "plan: steps"},
      {R"({"plan_id": "p", "steps": 3})", kInvalidContract, "plan: steps"},
      {R"({"steps": [{"step_id": "a", "contract": {}}]})", kInvalidContract, "plan: plan_id"},
      {R"({"plan_id": "p", "steps": [{"step_id": "a", "contract": {"x": 1}}]})", kInvalidContract,
       "plan: steps[0].contract.x"},
      {R"({"plan_id": "p", "steps": [{"step_id": "a", "depends_on": ["a"], "contract": {}}]})",
       kInvalidContract, "plan: steps"},
  };
  for (const BadRow& row : rows) {
    const auto input = ParseActInput(row.text, kDefaults);
    ASSERT_FALSE(input) << row.text;
    EXPECT_EQ(input.error().code(), row.code) << row.text << ": " << input.error().message();
    EXPECT_TRUE(input.error().message().contains(row.message))
        << row.text << ": " << input.error().message();
  }
}

TEST(ActInputTest, ReadsFilesUpToTheLimit) {
  const TempDir folder = TempDir::Create("falconer-act-test-").value();
  const auto path = folder.path() / "big.json";
  ASSERT_TRUE(WriteFileAtomic(path, std::string(kMaxActBytes, ' ')));
  EXPECT_TRUE(ReadActText(path));

  ASSERT_TRUE(WriteFileAtomic(path, std::string(kMaxActBytes + 1, ' ')));
  const auto text = ReadActText(path);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message(), path.string() + " has more than 16 MiB");
  EXPECT_EQ(ReadActText(folder.path() / "none").error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace falconer::app
