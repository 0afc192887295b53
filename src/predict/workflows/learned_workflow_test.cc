#include "predict/workflows/learned_workflow.h"

#include <fmt/format.h>
#include <functional>

#include <gtest/gtest.h>

namespace falconer::predict {
namespace {

constexpr std::string_view kSmallWorkflow = R"(
name: buy-coffee
version: 2
about: One bag of coffee
recordings: 3
parameters:
  - name: product
    about: link "{product}"
  - name: note
    default: be quick
steps:
  - id: product
    intent: click link "{product}"
    page: https://shop.example/
    recordings: 3
    by: person
    contract:
      action_spec:
        action_type: click
        selector: role=link[name="{product}"]
        selector_candidates:
          - text="{product}"
      expected_postconditions:
        - rule_type: url_pattern
          payload:
            pattern: https://shop.example/product/*
            mode: glob
    element:
      role: link
      name: "{product}"
      tag: a
      x: 0.25
      selectors:
        - role=link[name="{product}"]
  - id: note
    intent: type {note} into textbox "Note"
    contract:
      action_spec:
        action_type: fill
        selector: label="Note"
        text: "{note}"
      verification_rules:
        - rule_type: property_state
          severity: soft
          selector: label="Note"
          property: value.length
          matches: ^[1-9]
    healed:
      - selector: "#note"
        instead_of: label="Note"
        turn: turn_1
        at_ms: 1700000000000
        score: 0.9
        margin: 0.25
        ranker: falconer-rank-1
)";

LearnedWorkflow SmallWorkflow() {
  auto workflow = WorkflowFromYaml(kSmallWorkflow);
  EXPECT_TRUE(workflow) << workflow.error().message();
  return workflow.value_or(LearnedWorkflow());
}

// What is said of the document after a change.
std::string ComplaintAfter(const std::function<void(json::object&)>& change) {
  json::object document = SmallWorkflow().ToJson();
  change(document);
  const auto read = LearnedWorkflow::FromJson(document);
  EXPECT_FALSE(read);
  if (!read) EXPECT_EQ(read.error().code(), ErrorCode::kInvalidArgument);
  return read ? "" : read.error().message();
}

json::object& FirstStep(json::object& document) {
  return document["steps"].as_array()[0].as_object();
}

json::object& SpecOf(json::object& document) {
  return FirstStep(document)["contract"].as_object()["action_spec"].as_object();
}

TEST(LearnedWorkflowTest, GoesToJsonAndYamlAndBack) {
  const LearnedWorkflow workflow = SmallWorkflow();
  EXPECT_EQ(workflow.steps.size(), 2U);
  EXPECT_EQ(workflow.parameters[1].fallback, "be quick");
  EXPECT_EQ(workflow.steps[1].healed[0].margin, 0.25);

  const auto from_json = LearnedWorkflow::FromJson(workflow.ToJson());
  ASSERT_TRUE(from_json) << from_json.error().message();
  EXPECT_EQ(*from_json, workflow);
  const auto from_yaml = WorkflowFromYaml(WorkflowToYaml(workflow));
  ASSERT_TRUE(from_yaml) << from_yaml.error().message() << WorkflowToYaml(workflow);
  EXPECT_EQ(*from_yaml, workflow);
}

TEST(LearnedWorkflowTest, SignsStepsThatAreNotSigned) {
  const LearnedWorkflow workflow = SmallWorkflow();
  EXPECT_EQ(workflow.steps[0].signature, R"({"selector":"link \"*\"","type":"click"})");
  EXPECT_EQ(workflow.steps[1].signature,
            R"({"selector":"label=\"Note\"","text":"*","type":"type"})");
}

TEST(LearnedWorkflowTest, NamesTheFieldThatIsWrong) {
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                d["colour"] = 1;
              }).starts_with("workflow.colour: unknown field"));
  EXPECT_EQ(ComplaintAfter([](auto& d) { d["name"] = "Buy!"; }), "workflow.name: is no such name");
  EXPECT_EQ(ComplaintAfter([](auto& d) { d["version"] = "2"; }),
            "workflow.version: expected integer, got string");
  EXPECT_EQ(ComplaintAfter([](auto& d) { d.erase("steps"); }), "workflow.steps: is required");
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                d["steps"] = json::array();
              }).starts_with("workflow.steps: must have"));
  EXPECT_EQ(ComplaintAfter([](auto& d) { FirstStep(d)["id"] = "A b"; }),
            "workflow.steps[0].id: is no name of a step");
  EXPECT_EQ(ComplaintAfter([](auto& d) { FirstStep(d)["id"] = "note"; }),
            "workflow.steps[1].id: note is there twice");
  EXPECT_EQ(ComplaintAfter(
                [](auto& d) { d["parameters"].as_array()[1].as_object()["name"] = "product"; }),
            "workflow.parameters[1].name: product is there twice");
}

TEST(LearnedWorkflowTest, AStepHasAContractWhateverTheValuesAre) {
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                SpecOf(d)["colour"] = 1;
              }).starts_with("workflow.steps[0].contract.action_spec.colour: unknown field"));
  EXPECT_EQ(ComplaintAfter([](auto& d) { FirstStep(d)["contract"].as_object()["metadata"] = 1; }),
            "workflow.steps[0].contract.metadata: unknown field");
  EXPECT_EQ(ComplaintAfter([](auto& d) { FirstStep(d)["contract"] = json::object(); }),
            "workflow.steps[0].contract.action_spec: is required");
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                SpecOf(d)["selector"] = "role=link[";
              }).starts_with("workflow.steps[0].contract.action_spec.selector: selector at"));
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                SpecOf(d)["selector"] = "//a[.='{product}']";
              }).contains("an xpath takes no parameters"));
}

TEST(LearnedWorkflowTest, EveryNameInBracesIsAParameter) {
  EXPECT_EQ(ComplaintAfter([](auto& d) { SpecOf(d)["selector"] = "text=\"{colour}\""; }),
            "workflow.steps[0].contract.action_spec.selector: there is no parameter colour");
  EXPECT_EQ(ComplaintAfter([](auto& d) { FirstStep(d)["intent"] = "click {colour}"; }),
            "workflow.steps[0].intent: there is no parameter colour");
  EXPECT_EQ(
      ComplaintAfter([](auto& d) { FirstStep(d)["element"].as_object()["item"] = "{colour}"; }),
      "workflow.steps[0].element: there is no parameter colour");
}

TEST(LearnedWorkflowTest, IsBounded) {
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                const json::value step = d["steps"].as_array()[0];
                for (std::size_t i = 0; i < kMaxWorkflowSteps; ++i)
                  d["steps"].as_array().push_back(step);
              }).starts_with("workflow.steps: must have"));
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                for (std::size_t i = 0; i < kMaxWorkflowParameters; ++i)
                  d["parameters"].as_array().push_back({{"name", fmt::format("p{}", i)}});
              }).starts_with("workflow.parameters: must have"));
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                d["about"] = std::string(2000, 'x');
              }).starts_with("workflow.about: length must be"));
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                FirstStep(d)["intent"] = std::string(5000, 'x');
              }).starts_with("workflow.steps[0].intent: length must be"));
  EXPECT_TRUE(ComplaintAfter([](auto& d) {
                d["parameters"].as_array()[1].as_object()["default"] = std::string(5000, 'x');
              }).contains("default: is too long"));
}

TEST(LearnedWorkflowTest, AWholeAddressMayBeAParameter) {
  json::object document = SmallWorkflow().ToJson();
  FirstStep(document)["contract"] = {
      {"action_spec", {{"action_type", "navigate"}, {"url", "{product}"}}}};
  const auto read = LearnedWorkflow::FromJson(document);
  EXPECT_TRUE(read) << read.error().message();
}

TEST(WorkflowYamlTest, NamesTheLineThatIsWrong) {
  std::string text(kSmallWorkflow);
  const std::string right = "action_type: fill";
  text.replace(text.find(right), right.size(), "action_type: dance");
  const auto read = WorkflowFromYaml(text);
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().message().starts_with(
      "line 39: workflow.steps[1].contract.action_spec.action_type: "))
      << read.error().message();
  EXPECT_EQ(read.error().details().at("line"), json::value(39));
}

TEST(WorkflowYamlTest, RefusesWhatIsNoDocument) {
  for (const char* text : {"", "[]", "just words", "name: x\nsteps: 1\n", "a: *b\n"}) {
    const auto read = WorkflowFromYaml(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_TRUE(read.error().message().starts_with("line ")) << read.error().message();
  }
}

}  // namespace
}  // namespace falconer::predict
