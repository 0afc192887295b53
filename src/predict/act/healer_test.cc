#include "predict/act/healer.h"

#include <gtest/gtest.h>

#include "predict/act/step_contract.h"

namespace falconer::predict {
namespace {

// Adds a product to the cart; which one is a parameter.
WorkflowStep AddProduct() {
  return {
      .id = "add",
      .contract = {{"action_spec",
                    {{"action_type", "click"},
                     {"selector", "css=.card >> has-text=\"{product}\" >> role=button"}}},
                   {"verification_rules",
                    json::array{json::object{
                        {"rule_type", "element_present"},
                        {"payload",
                         {{"selector", "css=.card >> has-text=\"{product}\" >> role=button"}}}}}}},
      .element = model::Fingerprint{.role = "button",
                                    .name = "Add to cart",
                                    .text = "Add to cart",
                                    .tag = "button",
                                    .item = "{product} Add to cart"}};
}

engine::SeenElement AddButton(std::string ref, const std::string& product) {
  return {.ref = ref,
          .fingerprint = {.role = "button",
                          .name = "Add to cart",
                          .text = "Add to cart",
                          .tag = "div",
                          .item = product + " Add to cart",
                          .selectors = {"id=" + ref, "role=button[name=\"Add " + product + "\"]"}}};
}

const ParameterValues kNyeri = {{"product", "Nyeri AA"}};

TEST(HealerTest, FindsTheOneThatSaysWhatTheParameterSays) {
  const WorkflowStep document = AddProduct();
  const WorkflowStep bound = Bind(document, kNyeri).value();

  const Healing healing =
      Heal(bound, &document, kNyeri,
           {AddButton("d1e1", "Huila"), AddButton("d1e2", "Nyeri AA"), AddButton("d1e3", "House")});

  ASSERT_TRUE(healing.step) << healing.ranking.reason;
  EXPECT_EQ(SelectorsOf(*healing.step).front(), "id=d1e2");
}

TEST(HealerTest, RefusesOthersWhereTheRightOneIsNotThere) {
  const WorkflowStep document = AddProduct();
  const WorkflowStep bound = Bind(document, kNyeri).value();

  const Healing healing = Heal(bound, &document, kNyeri, {AddButton("d1e1", "Huila")});

  EXPECT_FALSE(healing.step);
  EXPECT_EQ(healing.ranking.reason, "no_candidates");
}

TEST(HealerTest, RulesLookAtTheNewElementToo) {
  const WorkflowStep document = AddProduct();
  const WorkflowStep bound = Bind(document, kNyeri).value();

  const Healing healing = Heal(bound, &document, kNyeri, {AddButton("d1e2", "Nyeri AA")});

  ASSERT_TRUE(healing.step);
  const json::value& rule = healing.step->contract.at("verification_rules").at(0);
  EXPECT_EQ(rule.at("payload").at("selector"), "id=d1e2") << json::serialize(rule);
}

TEST(HealerTest, AStepWithoutAFingerprintCannotBeHealed) {
  const Healing healing = Heal({.id = "go"}, nullptr, {}, {AddButton("d1e1", "Huila")});

  EXPECT_FALSE(healing.step);
  EXPECT_EQ(healing.ranking.reason, "no_fingerprint");
}

TEST(HealerTest, AnElementOfAnotherFrameIsAnother) {
  const WorkflowStep document = AddProduct();
  const WorkflowStep bound = Bind(document, kNyeri).value();
  engine::SeenElement framed = AddButton("d2e1", "Nyeri AA");
  framed.fingerprint.frame = "https://ads.example/";

  EXPECT_FALSE(Heal(bound, &document, kNyeri, {framed}).step);
}

TEST(HealerTest, KeepsOnlySelectorsThatDependOnTheParameter) {
  // "#c42" finds this product whatever is asked for the next time.
  EXPECT_EQ(KeptSelectors({"id=c42", "role=button[name=\"Add Nyeri AA\"]"}, AddProduct(), kNyeri),
            (std::vector<std::string>{"role=button[name=\"Add {product}\"]"}));
}

TEST(HealerTest, KeepsNothingThatTellsWhatWasGiven) {
  WorkflowStep plain = AddProduct();
  plain.element->item = "";

  EXPECT_EQ(KeptSelectors({"id=nyeri-aa", "id=c42", "text=\"nyeri aa\""}, plain, kNyeri),
            (std::vector<std::string>{"id=nyeri-aa", "id=c42"}));
  EXPECT_EQ(KeptSelectors({"text=\"Nyeri AA\""}, plain, kNyeri), std::vector<std::string>());
}

TEST(HealerTest, ABraceInASelectorStaysABrace) {
  WorkflowStep plain = AddProduct();
  plain.element->item = "";

  const auto kept = KeptSelectors({"text=\"{product}\""}, plain, kNyeri);

  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0], "text=\"{{product}\"");
}

TEST(HealerTest, AFingerprintIsKeptWithNames) {
  const model::Fingerprint named =
      NamedFingerprint({.role = "link",
                        .name = "Nyeri AA",
                        .attributes = {{"href", "/product/nyeri"}, {"title", "nyeri aa"}},
                        .item = "Nyeri AA from Kenya",
                        .selectors = {"id=x"}},
                       kNyeri);

  EXPECT_EQ(named.name, "{product}");
  EXPECT_EQ(named.item, "{product} from Kenya");
  EXPECT_FALSE(named.attributes.contains("title")) << "it repeats the value otherwise";
  EXPECT_TRUE(named.attributes.contains("href"));
  EXPECT_TRUE(named.selectors.empty());
}

}  // namespace
}  // namespace falconer::predict
