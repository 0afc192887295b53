#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "predict/workflows/recorded_step.h"
#include "predict/workflows/step_check.h"
#include "tests/support/recorded_shop.h"

namespace falconer::predict {
namespace {

using model::ActionType;
using test::Purchase;
using test::ShopRecording;

LearnedWorkflow LearnedFrom(const Recording& recording) {
  auto workflow = WorkflowFrom(recording);
  EXPECT_TRUE(workflow) << workflow.error().message();
  return workflow.value_or(LearnedWorkflow());
}

std::vector<std::string> IntentsOf(const LearnedWorkflow& workflow) {
  std::vector<std::string> out;
  for (const WorkflowStep& step : workflow.steps) out.push_back(step.intent);
  return out;
}

std::vector<std::string> ParametersOf(const LearnedWorkflow& workflow) {
  std::vector<std::string> out;
  for (const WorkflowParameter& one : workflow.parameters) out.push_back(one.name);
  return out;
}

json::object SpecAt(const LearnedWorkflow& workflow, std::size_t at) {
  return workflow.steps.at(at).contract.at("action_spec").as_object();
}

TEST(WorkflowFromTest, IsWhatWasDone) {
  const LearnedWorkflow workflow = LearnedFrom(test::BuyByLink("rec_1", Purchase()));
  EXPECT_EQ(IntentsOf(workflow),
            (std::vector<std::string>{
                "open https://shop.example/login",
                "type {account} into textbox \"Account\"",
                "type the secret SHOP_EXAMPLE_PASSWORD into textbox \"Password\"",
                "click button \"Log in\"",
                "open https://shop.example/",
                "click link \"Huila\"",
                "click button \"Add to cart\"",
                "click link \"Go to checkout\"",
                "type {full_name} into textbox \"Full name\"",
                "type {e_mail} into textbox \"E-mail\"",
                "type {street_and_number} into textbox \"Street and number\"",
                "type {postcode_and_town} into textbox \"Postcode and town\"",
                "choose {how_to_settle} in combobox \"How to settle\"",
                "click button \"Place order\"",
            }));
  EXPECT_EQ(ParametersOf(workflow),
            (std::vector<std::string>{"account", "full_name", "e_mail", "street_and_number",
                                      "postcode_and_town", "how_to_settle"}));
  EXPECT_EQ(workflow.parameters[1].about, "textbox \"Full name\"");
  EXPECT_EQ(workflow.recordings, 1);
  EXPECT_EQ(workflow.steps[6].id, "add-to-cart");
  EXPECT_EQ(workflow.steps[6].page, "https://shop.example/product/huila");
  EXPECT_EQ(SpecAt(workflow, 2).at("text"), json::value({{"secret", "SHOP_EXAMPLE_PASSWORD"}}));
  EXPECT_EQ(SpecAt(workflow, 12).at("select_values"),
            json::value({{{"label", "{how_to_settle}"}}}));
}

TEST(WorkflowFromTest, WhatWasChosenByItsValueIsChosenByThatAgain) {
  test::ShopRecording shop("rec_1");
  shop.Choose(test::ShopField("How to send it", "how"), "By bike");
  shop.last().spec.select_values = {{.value = "bike"}};

  const LearnedWorkflow workflow = LearnedFrom(shop.Take());

  EXPECT_EQ(SpecAt(workflow, workflow.steps.size() - 1).at("select_values"),
            json::value({{{"value", "{how_to_send_it}"}}}));
}

TEST(WorkflowFromTest, NamesElementsByTheSelectorsOfTheirFingerprint) {
  const json::object spec = SpecAt(LearnedFrom(test::BuyByLink("rec_1", Purchase())), 8);
  EXPECT_EQ(spec.at("action_type"), json::value("fill"));
  EXPECT_EQ(spec.at("selector"), json::value("role=textbox[name=\"Full name\"]"));
  EXPECT_EQ(spec.at("selector_candidates"), json::value({"label=\"Full name\"", "css=#name"}));
}

TEST(WorkflowFromTest, NothingThatWasTypedOrChosenIsInIt) {
  ShopRecording shop("rec_1");
  shop.Open("/?q=planted%20query&page=2");
  shop.Type(test::ShopField("Note", "note"), "planted note");
  model::Fingerprint repeats = test::ShopButton("Send \"Planted Note\" to planted query", "Send");
  repeats.item = "planted note, and much more of what the page says about that";
  repeats.before = "You chose planted option for your planted file.txt and planted later";
  repeats.attributes["title"] = "planted note";
  shop.Do(ActionType::kClick, repeats).To("/done/planted-note?planted+note");
  shop.Choose(test::ShopField("List", "list"), "planted option");
  shop.last().spec.select_values.push_back({.value = "planted value"});
  shop.Do(ActionType::kUpload, test::ShopField("File", "file"));
  shop.last().spec.files = {{.path = "planted file.txt"}};
  shop.Type(test::ShopField("Later", "later"), "planted later");
  model::Fingerprint shown = test::ShopLink("planted option", "/planted%20value");
  shown.landmark = "region \"For planted later\"";
  shop.Do(ActionType::kClick, shown);

  const std::string document = json::serialize(LearnedFrom(shop.Take()).ToJson());

  EXPECT_FALSE(document.contains("planted")) << document;
  EXPECT_FALSE(document.contains("Planted")) << document;
}

TEST(WorkflowFromTest, AnElementThatRepeatsWhatWasTypedRefersToIt) {
  ShopRecording shop("rec_1");
  model::Fingerprint search = test::ShopField("Search coffees", "q");
  search.role = "searchbox";
  shop.Open("/").Type(search, "Huila").Press(search, "Enter").To("/?q=Huila");
  shop.Do(ActionType::kClick, test::ShopCoffee(Purchase())).To("/product/huila");

  const LearnedWorkflow workflow = LearnedFrom(shop.Take());

  EXPECT_EQ(ParametersOf(workflow), std::vector<std::string>{"search"});
  EXPECT_EQ(workflow.steps[3].intent, "click link \"{search}\"");
  EXPECT_EQ(SpecAt(workflow, 3).at("selector"), json::value("role=link[name=\"{search}\"]"));
  EXPECT_EQ(workflow.steps[3].element->item, "{search} Colombia, washed \u20ac14.00");
  EXPECT_EQ(workflow.steps[3].signature, R"({"selector":"link \"*\"","type":"click"})");
}

TEST(WorkflowFromTest, WhatWasTypedInOtherLettersIsFoundInAny) {
  ShopRecording shop("rec_1");
  shop.Open("/").Type(test::ShopField("Search", "q"), "HUILA");
  shop.Do(ActionType::kClick, test::ShopCoffee(Purchase()));
  const json::object spec = SpecAt(LearnedFrom(shop.Take()), 2);
  EXPECT_EQ(spec.at("selector"), json::value("role=link[name*=\"{search}\"]"));
}

TEST(WorkflowFromTest, TypingThatGoesOnInAFieldIsOneStep) {
  ShopRecording shop("rec_1");
  shop.Open("/");
  const model::Fingerprint field = test::ShopField("Note", "note");
  shop.Type(field, "be").Type(field, "be quick").Do(ActionType::kClear, field).Type(field, "slow");
  const LearnedWorkflow workflow = LearnedFrom(shop.Take());
  EXPECT_EQ(IntentsOf(workflow), (std::vector<std::string>{"open https://shop.example/",
                                                           "type {note} into textbox \"Note\""}));
}

TEST(WorkflowFromTest, AFieldThatWasEmptiedIsCleared) {
  ShopRecording shop("rec_1");
  shop.Open("/").Type(test::ShopField("Note", "note"), "");
  EXPECT_EQ(IntentsOf(LearnedFrom(shop.Take())).back(), "clear textbox \"Note\"");
}

TEST(WorkflowFromTest, BeginsWhereTheRecordingBegan) {
  ShopRecording shop("rec_1");
  shop.At("/?category=Filter&sid=8f3a2b1c9d").Do(ActionType::kClick, test::ShopCoffee(Purchase()));
  const LearnedWorkflow workflow = LearnedFrom(shop.Take());
  EXPECT_EQ(workflow.steps[0].intent, "open https://shop.example/?category=Filter");
}

TEST(WorkflowFromTest, ValuesInAnAddressThatWasOpenedAreParameters) {
  ShopRecording shop("rec_1");
  shop.Open("/find?q=blue+shoes&lang=#/results");
  const LearnedWorkflow workflow = LearnedFrom(shop.Take());
  EXPECT_EQ(SpecAt(workflow, 0).at("url"),
            json::value("https://shop.example/find?q={q}&lang=#/results"));
}

TEST(WorkflowFromTest, FindsElementsInTheirFrames) {
  ShopRecording shop("rec_1");
  model::Fingerprint card = test::ShopField("Card number", "card");
  card.frame = "https://pay.example/form.html";
  shop.Open("/pay").Type(card, "1234");
  EXPECT_EQ(SpecAt(LearnedFrom(shop.Take()), 1).at("selector"),
            json::value("frame=iframe[src*=\"form.html\"] >> role=textbox[name=\"Card number\"]"));
}

TEST(WorkflowFromTest, LeavesOutWhatOnlyLooksAndWhatNothingNames) {
  ShopRecording shop("rec_1");
  shop.Open("/");
  for (const ActionType type :
       {ActionType::kSnapshot, ActionType::kScreenshot, ActionType::kScroll})
    shop.Do(type, {});
  RecordedStep unnamed{.spec = {.type = ActionType::kClick}};
  unnamed.spec.target.emplace();
  unnamed.spec.target->eid = "d1e2";
  Recording recording = shop.Take();
  recording.steps.push_back(unnamed);
  EXPECT_EQ(LearnedFrom(recording).steps.size(), 1U);
  recording.steps.erase(recording.steps.begin());
  const auto nothing = WorkflowFrom({.workflow = "x", .steps = {unnamed}});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code(), ErrorCode::kInvalidArgument);
}

TEST(WorkflowFromTest, KeepsWhatAnAgentAskedFor) {
  ShopRecording shop("rec_1");
  shop.Open("/").Type(test::ShopField("Note", "note"), "be quick");
  shop.Do(ActionType::kClick, test::ShopButton("Save", "Note"));
  shop.last().by = store::DoneBy::kAgent;
  shop.last().rules = {
      *model::VerificationRule::FromJson(
          ParseJson(R"({"rule_type":"text_state","selector":"#said","expected":"Saved: be quick"})")
              .value()),
      *model::VerificationRule::FromJson(
          ParseJson(R"({"rule_type":"element_present","eid":"d1e2"})").value())};

  const WorkflowStep step = LearnedFrom(shop.Take()).steps[2];

  EXPECT_EQ(step.by, store::DoneBy::kAgent);
  const json::array& rules = step.contract.at("verification_rules").as_array();
  ASSERT_EQ(rules.size(), 1U) << "a ref is gone with its session";
  EXPECT_EQ(rules[0].at("payload").at("expected"), json::value("Saved: {note}"));
}

TEST(WorkflowFromTest, ASecretThatAnAgentNamedStaysThatOne) {
  ShopRecording shop("rec_1");
  shop.Open("/login").Type(test::ShopField("Password", "password"), "");
  shop.last().spec.text = model::TextInput{
      .value = "shop-login", .source = model::TextInput::Source::kSecret, .field = "password"};
  EXPECT_EQ(SpecAt(LearnedFrom(shop.Take()), 1).at("text"),
            json::value({{"secret", "shop-login"}, {"field", "password"}}));
}

TEST(WorkflowFromTest, APasswordThatAnAgentSpelledOutIsASecret) {
  ShopRecording shop("rec_1");
  model::Fingerprint password = test::ShopField("Password", "password");
  password.type = "password";
  shop.Open("/login").Type(password, "planted-password");
  shop.last().by = store::DoneBy::kAgent;
  shop.Do(ActionType::kClick, test::ShopButton("Show planted-password", "x"));
  const LearnedWorkflow workflow = LearnedFrom(shop.Take());
  EXPECT_EQ(SpecAt(workflow, 1).at("text"), json::value({{"secret", "SHOP_EXAMPLE_PASSWORD"}}));
  EXPECT_EQ(workflow.steps.size(), 2U) << "the button cannot be named without it";
  EXPECT_FALSE(json::serialize(workflow.ToJson()).contains("planted"))
      << json::serialize(workflow.ToJson());
}

TEST(WorkflowFromTest, BracesOfAPageAreBraces) {
  ShopRecording shop("rec_1");
  shop.Open("/").Do(ActionType::kClick, test::ShopButton("Insert {name} {{x}}", "Mail {y}"));
  const LearnedWorkflow workflow = LearnedFrom(shop.Take());
  EXPECT_TRUE(workflow.parameters.empty());
  const auto bound = Bind(workflow.steps[1], {});
  ASSERT_TRUE(bound) << bound.error().message();
  EXPECT_EQ(bound->element->name, "Insert {name} {{x}}");
  EXPECT_EQ(bound->contract.at("action_spec").at("selector"),
            json::value("role=button[name=\"Insert {name} {{x}}\"]"));
}

TEST(WorkflowFromTest, WaitsForThePageThatAStepLedTo) {
  const LearnedWorkflow workflow = LearnedFrom(test::BuyByLink("rec_1", Purchase()));
  const json::object& added = workflow.steps[6].contract;
  EXPECT_EQ(added.at("wait_conditions").at(0).at("payload").at("url_pattern"),
            json::value("https://shop.example/cart"));
  EXPECT_EQ(added.at("expected_postconditions").at(0).at("payload").at("pattern"),
            json::value("https://shop.example/cart"));
}

// What is needed to send a step.
ParameterValues SomeValues(const LearnedWorkflow& workflow) {
  ParameterValues values;
  for (const WorkflowParameter& one : workflow.parameters) values[one.name] = "some " + one.name;
  return values;
}

TEST(WorkflowFromTest, EveryStepIsAGuardedContractOnceItIsBound) {
  ShopRecording shop("rec_1");
  test::LogIn(shop, "ada");
  const model::Fingerprint box = test::ShopField("Agree {now}", "agree");
  shop.Do(ActionType::kCheck, box).Do(ActionType::kUncheck, test::ShopField("News", "news"));
  shop.Do(ActionType::kUpload, test::ShopField("File", "file"));
  shop.Do(ActionType::kDoubleClick, box).Do(ActionType::kHover, box).Press(box, "Escape");
  shop.Do(ActionType::kDrag, box);
  shop.last().spec.drag_to.emplace();
  shop.last().spec.drag_to->selector = model::MakeNamedSelector("#bin").value();
  test::OrderWhatIsInTheCart(shop, Purchase());
  const LearnedWorkflow workflow = LearnedFrom(shop.Take());
  std::set<std::string> types;
  for (const WorkflowStep& step : workflow.steps) {
    const auto bound = Bind(step, SomeValues(workflow));
    ASSERT_TRUE(bound) << step.intent << ": " << bound.error().message();
    const auto contract = ContractOf(*bound, WorkflowId("w"));
    ASSERT_TRUE(contract) << step.intent << ": " << contract.error().message();
    EXPECT_TRUE(contract->CheckGuard()) << step.intent << json::serialize(step.contract);
    EXPECT_FALSE(step.signature.empty()) << step.intent;
    types.emplace(model::ActionName(contract->action_spec.type));
  }
  EXPECT_EQ(types.size(), 11U);
}

TEST(WorkflowFromTest, IsTheSameEachTime) {
  const Recording recording = test::BuyByLink("rec_1", Purchase());
  EXPECT_EQ(LearnedFrom(recording), LearnedFrom(recording));
}

}  // namespace
}  // namespace falconer::predict
