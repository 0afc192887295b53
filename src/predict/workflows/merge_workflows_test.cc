#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "predict/workflows/recorded_step.h"
#include "predict/workflows/step_check.h"
#include "tests/support/recorded_shop.h"

namespace falconer::predict {
namespace {

using model::ActionType;
using test::Purchase;
using test::ShopRecording;

LearnedWorkflow OneOf(const Recording& recording) {
  auto workflow = WorkflowFrom(recording);
  EXPECT_TRUE(workflow) << workflow.error().message();
  return workflow.value_or(LearnedWorkflow());
}

LearnedWorkflow MergedFrom(const std::vector<LearnedWorkflow>& recordings) {
  auto merged = MergeWorkflows(recordings);
  EXPECT_TRUE(merged) << merged.error().message();
  return merged.value_or(LearnedWorkflow());
}

std::vector<std::string> NamesIn(const LearnedWorkflow& workflow) {
  std::vector<std::string> out;
  for (const WorkflowParameter& one : workflow.parameters) out.push_back(one.name);
  return out;
}

const WorkflowStep& StepOf(const LearnedWorkflow& workflow, std::string_view id) {
  const auto found = std::ranges::find(workflow.steps, id, &WorkflowStep::id);
  EXPECT_NE(found, workflow.steps.end()) << id << " in " << WorkflowToYaml(workflow);
  return found == workflow.steps.end() ? workflow.steps.front() : *found;
}

json::object SpecOfStep(const LearnedWorkflow& workflow, std::string_view id) {
  return StepOf(workflow, id).contract.at("action_spec").as_object();
}

std::vector<LearnedWorkflow> ThreePurchases() {
  std::vector<LearnedWorkflow> all;
  for (const Purchase& wish : test::Purchases())
    all.push_back(OneOf(test::BuyByLink("rec_" + wish.slug, wish)));
  return all;
}

TEST(MergeWorkflowsTest, ThreePurchasesAreOneWorkflowWithTheProductAsAParameter) {
  const LearnedWorkflow merged = MergedFrom(ThreePurchases());

  EXPECT_EQ(merged.recordings, 3);
  EXPECT_EQ(merged.steps.size(), 14U);
  for (const WorkflowStep& step : merged.steps) EXPECT_EQ(step.recordings, 3) << step.intent;
  EXPECT_EQ(NamesIn(merged),
            (std::vector<std::string>{"account", "product", "full_name", "e_mail",
                                      "street_and_number", "postcode_and_town", "how_to_settle"}));
  const WorkflowStep& picked = StepOf(merged, "product");
  EXPECT_EQ(picked.intent, "click link \"{product}\"");
  EXPECT_EQ(picked.signature, R"({"selector":"link \"*\"","type":"click"})");
  EXPECT_EQ(SpecOfStep(merged, "product"),
            json::value({{"action_type", "click"}, {"selector", "role=link[name=\"{product}\"]"}}));
  EXPECT_EQ(picked.element->name, "{product}");
  EXPECT_EQ(picked.contract.at("wait_conditions").at(0).at("payload").at("url_pattern"),
            json::value("https://shop.example/product/*"));
  EXPECT_EQ(StepOf(merged, "add-to-cart").page, "https://shop.example/product/*");
}

TEST(MergeWorkflowsTest, NothingOfWhatDifferedIsLeft) {
  const std::string document = json::serialize(MergedFrom(ThreePurchases()).ToJson());
  for (const Purchase& wish : test::Purchases()) {
    for (const std::string& text :
         {wish.coffee, wish.slug, wish.name, wish.email, wish.street, wish.town, wish.method})
      EXPECT_FALSE(document.contains(text)) << text;
  }
}

TEST(MergeWorkflowsTest, EveryStepCanBeBoundToAGuardedContract) {
  const LearnedWorkflow merged = MergedFrom(ThreePurchases());
  ParameterValues values;
  for (const std::string& name : NamesIn(merged)) values[name] = "A \"new\" {" + name + "}";
  for (const WorkflowStep& step : merged.steps) {
    const auto bound = Bind(step, values);
    ASSERT_TRUE(bound) << bound.error().message();
    const auto contract = ContractOf(*bound, WorkflowId("w"));
    ASSERT_TRUE(contract) << step.intent << contract.error().message();
    EXPECT_TRUE(contract->CheckGuard()) << step.intent;
  }
}

TEST(MergeWorkflowsTest, TheSameRecordingTwiceChangesNothingButCounts) {
  const LearnedWorkflow once = OneOf(test::BuyByLink("rec_1", Purchase()));
  LearnedWorkflow twice = MergedFrom({once, once});
  EXPECT_EQ(twice.recordings, 2);
  twice.recordings = 1;
  for (WorkflowStep& step : twice.steps) {
    EXPECT_EQ(step.recordings, 2);
    step.recordings = 1;
  }
  EXPECT_EQ(twice, once) << WorkflowToYaml(twice);
}

TEST(MergeWorkflowsTest, WhatWasMergedCanBeMergedFurther) {
  const std::vector<LearnedWorkflow> all = ThreePurchases();
  const LearnedWorkflow two = MergedFrom({all[0], all[1]});
  EXPECT_EQ(MergedFrom({two, all[2]}), MergedFrom(all));
  LearnedWorkflow again = MergedFrom({MergedFrom(all), all[1]});
  EXPECT_EQ(NamesIn(again), NamesIn(MergedFrom(all)));
  EXPECT_EQ(again.steps.size(), 14U);
}

TEST(MergeWorkflowsTest, ALaterElementThatRepeatsWhatDiffersUsesTheSameParameter) {
  std::vector<LearnedWorkflow> all;
  for (const Purchase& wish : test::Purchases()) {
    ShopRecording shop("rec_" + wish.slug);
    shop.Open("/").Do(ActionType::kClick, test::ShopCoffee(wish)).To("/product/" + wish.slug);
    shop.Do(ActionType::kClick, test::ShopButton("Add to cart", "Add to cart")).To("/cart");
    model::Fingerprint count = test::ShopField("How many of " + wish.coffee, "");
    count.attributes = {{"name", "count"}};
    count.item = wish.coffee;
    count.selectors = {"role=spinbutton[name=\"How many of " + wish.coffee + "\"]"};
    shop.Type(count, "2");
    shop.Do(ActionType::kClick, test::ShopButton("Take " + wish.coffee + " out of the cart", "x"));
    all.push_back(OneOf(shop.Take()));
  }

  const LearnedWorkflow merged = MergedFrom(all);

  EXPECT_EQ(merged.steps.size(), 5U) << WorkflowToYaml(merged);
  EXPECT_EQ(merged.steps[4].intent, "click button \"Take {product} out of the cart\"");
  EXPECT_EQ(merged.steps[4].contract.at("action_spec").at("selector"),
            json::value("role=button[name=\"Take {product} out of the cart\"]"));
  EXPECT_EQ(merged.steps[3].element->name, "How many of {product}");
  EXPECT_EQ(NamesIn(merged).front(), "product");
  EXPECT_EQ(NamesIn(merged).size(), 2U);
}

TEST(MergeWorkflowsTest, WhatWasNotDoneEachTimeIsOptional) {
  std::vector<LearnedWorkflow> all;
  for (const Purchase& wish : test::Purchases()) {
    ShopRecording shop("rec_" + wish.slug);
    shop.Open("/").Do(ActionType::kClick, test::ShopCoffee(wish)).To("/product/" + wish.slug);
    if (wish.slug == "house")
      shop.Do(ActionType::kClick, test::ShopButton("One more " + wish.coffee, "How many"));
    shop.Do(ActionType::kClick, test::ShopButton("Add to cart", "Add to cart")).To("/cart");
    all.push_back(OneOf(shop.Take()));
  }
  const LearnedWorkflow merged = MergedFrom(all);
  ASSERT_EQ(merged.steps.size(), 4U);
  EXPECT_EQ(merged.steps[2].intent, "click button \"One more {product}\"");
  EXPECT_EQ(merged.steps[2].recordings, 1);
  EXPECT_EQ(merged.steps[3].recordings, 3);
  EXPECT_EQ(NamesIn(merged), std::vector<std::string>{"product"});
}

TEST(MergeWorkflowsTest, AStepThatIsDoneAgainInOneOfThemHasANameOfItsOwn) {
  ShopRecording once("rec_1");
  once.Open("/").Do(ActionType::kClick, test::ShopButton("Save", "Note"));
  ShopRecording twice("rec_2");
  twice.Open("/").Do(ActionType::kClick, test::ShopButton("Save", "Note"));
  twice.Do(ActionType::kClick, test::ShopButton("Close", "Note"));
  twice.Do(ActionType::kClick, test::ShopButton("Save", "Note"));
  const LearnedWorkflow merged = MergedFrom({OneOf(once.Take()), OneOf(twice.Take())});
  std::vector<std::string> ids;
  for (const WorkflowStep& step : merged.steps) ids.push_back(step.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"open-home", "save", "close", "save-2"}));
}

TEST(MergeWorkflowsTest, ASearchInOneOfThemIsTheSameParameter) {
  const std::vector<Purchase> wishes = test::Purchases();
  ShopRecording searched("rec_1");
  model::Fingerprint search = test::ShopField("Search coffees", "q");
  search.role = "searchbox";
  searched.Open("/").Type(search, wishes[0].coffee).Press(search, "Enter").To("/?q=huila");
  searched.Do(ActionType::kClick, test::ShopCoffee(wishes[0])).To("/product/huila");
  ShopRecording picked("rec_2");
  picked.Open("/").Do(ActionType::kClick, test::ShopCoffee(wishes[1])).To("/product/house");

  for (const bool is_first : {true, false}) {
    std::vector<LearnedWorkflow> both = {OneOf(searched.Take()), OneOf(picked.Take())};
    if (!is_first) std::swap(both[0], both[1]);
    const LearnedWorkflow merged = MergedFrom(both);
    EXPECT_EQ(NamesIn(merged), std::vector<std::string>{"search"});
    EXPECT_EQ(merged.steps.back().intent, "click link \"{search}\"");
    EXPECT_EQ(merged.steps.back().recordings, 2);
  }
}

TEST(MergeWorkflowsTest, NumbersInNamesAreAnyNumbers) {
  std::vector<LearnedWorkflow> all;
  for (const char* count : {"1", "12", "3"}) {
    ShopRecording shop("rec_1");
    model::Fingerprint cart = test::ShopLink(std::string("Cart ") + count, "/cart");
    cart.selectors = {std::string("role=link[name=\"Cart ") + count + "\"]"};
    shop.Open("/").Do(ActionType::kClick, cart).To("/cart");
    all.push_back(OneOf(shop.Take()));
  }
  const LearnedWorkflow merged = MergedFrom(all);
  EXPECT_TRUE(merged.parameters.empty());
  EXPECT_EQ(merged.steps[1].contract.at("action_spec").at("selector"),
            json::value(R"(role=link[name=/^Cart \d+$/])"));
}

TEST(MergeWorkflowsTest, AnElementWithANameOfItsAuthorIsTheSameWhateverItSays) {
  std::vector<LearnedWorkflow> all;
  for (const char* says : {"Save", "Save draft now"}) {
    ShopRecording shop("rec_1");
    model::Fingerprint button = test::ShopButton(says, "Note");
    button.selectors.emplace_back("testid=save");
    shop.Open("/").Do(ActionType::kClick, button);
    all.push_back(OneOf(shop.Take()));
  }
  const LearnedWorkflow merged = MergedFrom(all);
  EXPECT_TRUE(merged.parameters.empty());
  EXPECT_EQ(merged.steps[1].contract.at("action_spec").at("selector"), json::value("testid=save"));
}

TEST(MergeWorkflowsTest, OtherFieldsAndOtherButtonsAreOtherSteps) {
  ShopRecording one("rec_1");
  one.Open("/").Type(test::ShopField("Full name", "name"), "x y z");
  one.Do(ActionType::kClick, test::ShopButton("Search", "Find"));
  ShopRecording other("rec_2");
  other.Open("/").Type(test::ShopField("Last name", "last"), "x y z");
  other.Do(ActionType::kClick, test::ShopButton("Log in", "Account"));
  other.Do(ActionType::kClick, test::ShopLink("About us", "/about"));
  const LearnedWorkflow merged = MergedFrom({OneOf(one.Take()), OneOf(other.Take())});
  EXPECT_EQ(merged.steps.size(), 6U);
  EXPECT_EQ(NamesIn(merged), (std::vector<std::string>{"full_name", "last_name"}));
}

TEST(MergeWorkflowsTest, AddressesOfThingsOfOneKindAreOneParameter) {
  std::vector<LearnedWorkflow> all;
  for (const char* path : {"/products/huila", "/products/house"}) {
    ShopRecording shop("rec_1");
    shop.Open(path).Do(ActionType::kClick, test::ShopButton("Add to cart", "Add")).To("/cart");
    all.push_back(OneOf(shop.Take()));
  }
  const LearnedWorkflow merged = MergedFrom(all);
  EXPECT_EQ(merged.steps[0].intent, "open https://shop.example/products/{product}");
  EXPECT_EQ(merged.steps[1].page, "https://shop.example/products/*");
}

TEST(MergeWorkflowsTest, WordsAroundAnElementTellNothingAboutParameters) {
  std::vector<LearnedWorkflow> all;
  for (const char* before : {"ada lovelace", "Gear"}) {
    ShopRecording shop("rec_1");
    shop.Open("/").Type(test::ShopField("Account", "account"), "ada lovelace");
    model::Fingerprint button = test::ShopButton("Go on", "x");
    button.before = before;
    shop.Do(ActionType::kClick, button);
    shop.Do(ActionType::kClick, test::ShopLink("Gear", "/gear"));
    all.push_back(OneOf(shop.Take()));
  }
  const LearnedWorkflow merged = MergedFrom(all);
  EXPECT_EQ(StepOf(merged, "go-on").element->before, "");
  EXPECT_EQ(merged.steps[3].intent, "click link \"Gear\"");
}

TEST(MergeWorkflowsTest, TheSecretThatAPersonNamedStays) {
  LearnedWorkflow named = OneOf(test::BuyByLink("rec_1", Purchase()));
  named.steps[2].contract["action_spec"].as_object()["text"] = {{"secret", "shop-login"}};
  const LearnedWorkflow merged = MergedFrom({named, OneOf(test::BuyByLink("rec_2", Purchase()))});
  EXPECT_EQ(merged.steps[2].contract.at("action_spec").at("text"),
            json::value({{"secret", "shop-login"}}));
  EXPECT_EQ(merged.steps[2].recordings, 2);
}

// Anything that somebody might do, in any order.
Recording AnyRecording(std::mt19937& random) {
  const auto one_of = [&](const std::vector<std::string>& all) {
    return all[random() % all.size()];
  };
  const std::vector<std::string> words = {"Huila",       "House blend", "Cart 1",     "Cart 22",
                                          "a {b} \"c\"", "Save",        "Take Huila", "Take {name}",
                                          "x",           "Stra\u00dfe", "it's \\"};
  ShopRecording shop("rec");
  shop.Open(one_of({"/", "/login", "/product/huila", "/product/house?x=1", "/a/b/c"}));
  for (std::size_t steps = random() % 8; steps > 0; --steps) {
    const std::string word = one_of(words);
    model::Fingerprint element =
        random() % 2 == 0 ? test::ShopLink(word, one_of({"/product/" + word, "/cart", "/p"}))
                          : test::ShopButton(word, one_of(words));
    if (random() % 3 == 0) element.item = one_of(words) + " in a row";
    if (random() % 4 == 0) {
      shop.Type(test::ShopField(one_of(words), "f"), one_of(words));
    } else {
      shop.Do(random() % 5 == 0 ? ActionType::kCheck : ActionType::kClick, element);
    }
    if (random() % 3 == 0)
      shop.To(one_of({"/cart", "/product/huila", "/?q=" + std::to_string(random())}));
  }
  return shop.Take();
}

TEST(MergeWorkflowsPropertyTest, WhateverWasRecordedCanBeDoneAgain) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<LearnedWorkflow> all;
    for (std::size_t i = 0; i < 1 + random() % 4; ++i) all.push_back(OneOf(AnyRecording(random)));
    const LearnedWorkflow merged = MergedFrom(all);
    EXPECT_TRUE(MergedFrom(all) == merged) << WorkflowToYaml(merged);
    EXPECT_TRUE(WorkflowFromYaml(WorkflowToYaml(merged)) == merged) << WorkflowToYaml(merged);
    ParameterValues values;
    for (const std::string& name : NamesIn(merged)) values[name] = "any \"" + name + "\" {x}";
    for (const WorkflowStep& step : merged.steps) {
      EXPECT_LE(step.recordings, merged.recordings);
      const auto bound = Bind(step, values);
      ASSERT_TRUE(bound) << WorkflowToYaml(merged) << bound.error().message();
      const auto contract = ContractOf(*bound, WorkflowId("w"));
      ASSERT_TRUE(contract) << WorkflowToYaml(merged) << contract.error().message();
      EXPECT_TRUE(contract->CheckGuard());
    }
  }
}

TEST(MergeWorkflowsTest, HasNothingToMergeWithoutRecordings) {
  EXPECT_EQ(MergeWorkflows({}).error().code(), ErrorCode::kInvalidArgument);
}

TEST(MergeWorkflowsTest, AWorkflowThatBecomesTooLongIsRefused) {
  std::vector<LearnedWorkflow> all;
  for (const char* kind : {"a", "b"}) {
    ShopRecording shop("rec_1");
    shop.Open("/");
    for (int i = 0; i < 150; ++i) {
      const std::string letters = {static_cast<char>('a' + i / 26),
                                   static_cast<char>('a' + i % 26)};
      shop.Do(ActionType::kClick, test::ShopButton(kind + letters, kind));
    }
    all.push_back(OneOf(shop.Take()));
  }
  const auto merged = MergeWorkflows(all);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace falconer::predict
