#include "predict/learn/tenant_model.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "predict/signature.h"

namespace falconer::predict {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kShop = "https://shop.example/";

model::Fingerprint ButtonNamed(std::string name) {
  return {.role = "button",
          .name = name,
          .tag = "button",
          .selectors = {"role=button[name=\"" + name + "\"]"}};
}

model::Target TargetOf(const model::Fingerprint& element) {
  return {.selector = *model::MakeNamedSelector(element.selectors[0])};
}

class TenantModelTest : public testing::Test {
 protected:
  LearntStep Click(std::string name, store::DoneBy by = store::DoneBy::kPerson) {
    model::Fingerprint element = ButtonNamed(std::move(name));
    RecordedStep step{.spec = {.type = model::ActionType::kClick, .target = TargetOf(element)},
                      .element = std::move(element),
                      .url_before = std::string(kShop),
                      .url_after = std::string(kShop),
                      .by = by};
    return {.step = std::move(step), .at = clock_.WallNow()};
  }
  LearntStep Typing(std::string text) {
    model::Fingerprint element{.role = "textbox",
                               .name = "Full name",
                               .tag = "input",
                               .label = "Full name",
                               .selectors = {"label=\"Full name\""}};
    RecordedStep step{.spec = {.type = model::ActionType::kFill,
                               .target = TargetOf(element),
                               .text = model::TextInput{.value = std::move(text)}},
                      .element = std::move(element),
                      .url_before = std::string(kShop),
                      .url_after = std::string(kShop),
                      .by = store::DoneBy::kPerson};
    return {.step = std::move(step), .at = clock_.WallNow()};
  }
  // The same sequence, each time in a session of its own.
  void Repeat(int times, const std::vector<std::string>& names,
              store::DoneBy by = store::DoneBy::kPerson) {
    for (int n = 0; n < times; ++n) {
      const std::string session = "s" + std::to_string(sessions_++);
      for (const std::string& name : names) model_.Note(session, Click(name, by));
      model_.EndSequence(session);
    }
  }
  std::vector<Prediction> After(const std::vector<std::string>& names) {
    std::vector<std::uint64_t> history;
    for (const std::string& name : names) history.push_back(SymbolOf(Signature(name)));
    return model_.predictor().Predict(
        {.history = history, .page = SymbolOf(PagePattern(kShop)), .most = 3});
  }
  static std::string Signature(const std::string& name) {
    const model::Fingerprint element = ButtonNamed(name);
    const model::ActionSpec spec{.type = model::ActionType::kClick, .target = TargetOf(element)};
    return SignatureOf({.spec = spec, .element = &element});
  }

  FakeClock clock_;
  PredictMeter meter_{clock_};
  TenantModel model_{PredictorOptions(), meter_, 100};
  int sessions_ = 0;
};

TEST_F(TenantModelTest, PredictsWhatFollowedBefore) {
  Repeat(3, {"Search", "Add to cart", "Check out"});

  const auto next = After({"Search", "Add to cart"});

  ASSERT_FALSE(next.empty());
  EXPECT_EQ(next[0].symbol, SymbolOf(Signature("Check out")));
}

TEST_F(TenantModelTest, LearnsWhereSequencesEnd) {
  Repeat(3, {"Search", "Add to cart"});

  const auto next = After({"Search", "Add to cart"});

  ASSERT_FALSE(next.empty());
  EXPECT_EQ(next[0].symbol, kBoundary);
}

TEST_F(TenantModelTest, LearnsNothingFromWhatItPredictedItself) {
  Repeat(2, {"Search", "Add to cart"});
  const auto before = After({"Search"});
  Repeat(20, {"Search", "Check out"}, store::DoneBy::kPrediction);
  const auto after = After({"Search"});

  ASSERT_FALSE(before.empty() || after.empty());
  EXPECT_EQ(before[0].symbol, after[0].symbol);
  EXPECT_EQ(before[0].confidence, after[0].confidence);
  const auto* known = model_.Find(SymbolOf(Signature("Check out")));
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->by_prediction, 20);
  EXPECT_EQ(known->by_person, 0);
}

TEST_F(TenantModelTest, CountsFailuresAndDoesNotPredictThem) {
  LearntStep failed = Click("Add to cart");
  failed.succeeded = false;
  model_.Note("s", Click("Search"));
  model_.Note("s", failed);

  EXPECT_EQ(model_.Find(SymbolOf(Signature("Add to cart")))->failed, 1);
  EXPECT_EQ(model_.History("s"), std::vector{SymbolOf(Signature("Search"))});
}

TEST_F(TenantModelTest, APauseEndsASequence) {
  model_.Note("s", Click("Search"));
  clock_.Advance(6min);
  model_.Note("s", Click("Add to cart"));

  EXPECT_EQ(model_.History("s"), std::vector{SymbolOf(Signature("Add to cart"))});
}

TEST_F(TenantModelTest, KeepsNothingThatWasTypedAlsoWhereAPageRepeatsIt) {
  model_.Note("s", Typing("Ada Lovelace"));
  model_.Note("s", Click("Orders of Ada Lovelace"));

  const store::LearntBatch news = model_.TakeNews();

  ASSERT_EQ(news.actions.size(), 2U);
  for (const store::SeenAction& action : news.actions) {
    EXPECT_FALSE(action.signature.contains("Lovelace")) << action.signature;
    EXPECT_FALSE(json::serialize(action.action).contains("Lovelace"))
        << json::serialize(action.action);
  }
}

TEST_F(TenantModelTest, DoesNotLearnLettersThatAreTypedOneByOne) {
  const model::ActionSpec letter{.type = model::ActionType::kPress, .key = "a"};
  model_.Note("s", {.step = {.spec = letter, .url_before = std::string(kShop)}});

  EXPECT_FALSE(model_.has_news());
  EXPECT_TRUE(model_.History("s").empty());
}

TEST_F(TenantModelTest, CountsAsPredictedOnlyWhatItCouldSayBefore) {
  model_.Note("s", Click("Search"));
  EXPECT_EQ(meter_.ToJson().at("total_predictions"), 0) << "nothing was known yet";
  Repeat(3, {"Search", "Add to cart"});

  const json::object numbers = meter_.ToJson();

  EXPECT_GT(numbers.at("total_predictions").as_int64(), 0);
  EXPECT_GT(numbers.at("prediction_accuracy").as_double(), 0);
  EXPECT_LE(numbers.at("prediction_accuracy").as_double(), 1);
}

TEST_F(TenantModelTest, GivesBackWhatCouldNotBeKept) {
  Repeat(1, {"Search", "Add to cart"});
  store::LearntBatch first = model_.TakeNews();
  const std::size_t actions = first.actions.size();
  const std::size_t contexts = first.contexts.size();
  model_.GiveBack(std::move(first));

  const store::LearntBatch again = model_.TakeNews();

  EXPECT_EQ(again.actions.size(), actions);
  EXPECT_EQ(again.contexts.size(), contexts);
}

TEST_F(TenantModelTest, ForgetsActionsThatWereNotDoneForTheLongestTime) {
  for (char first = 'a'; first < 'k'; ++first) {
    for (char second = 'a'; second <= 'z'; ++second) {
      clock_.Advance(1s);
      model_.Note("s", Click({first, second}));
    }
  }

  EXPECT_GE(model_.actions(), 100U);
  EXPECT_LE(model_.actions(), 110U);
  EXPECT_EQ(model_.Find(SymbolOf(Signature("aa"))), nullptr);
  EXPECT_NE(model_.Find(SymbolOf(Signature("jz"))), nullptr);
}

TEST_F(TenantModelTest, IsTaughtByRecordingsAsOftenAsTheyWereMade) {
  LearnedWorkflow workflow{.name = "buy", .recordings = 3};
  for (const std::string name : {"Search", "Add to cart"}) {
    workflow.steps.push_back({.id = name == "Search" ? "search" : "add",
                              .intent = "click " + name,
                              .contract = {{"action_spec", Click(name).step.spec.ToJson()}},
                              .element = ButtonNamed(name),
                              .page = PagePattern(kShop),
                              .signature = Signature(name),
                              .recordings = 3});
  }
  model_.Teach(workflow, 3, clock_.WallNow());

  const auto next = After({"Search"});

  ASSERT_FALSE(next.empty());
  EXPECT_EQ(next[0].symbol, SymbolOf(Signature("Add to cart")));
  EXPECT_EQ(model_.Find(next[0].symbol)->by_person, 3);
}

}  // namespace
}  // namespace falconer::predict
