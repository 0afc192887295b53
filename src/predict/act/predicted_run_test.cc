#include "predict/act/predicted_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/async/fake_clock.h"
#include "predict/act/free_way.h"
#include "predict/act/named_way.h"
#include "tests/support/co_test.h"
#include "tests/support/predict_fakes.h"

namespace falconer::predict {
namespace {

constexpr std::string_view kHome = "https://shop.example/";
constexpr std::string_view kCart = "https://shop.example/cart";

model::Fingerprint Button(std::string name) {
  return {.role = "button", .name = name, .text = name, .tag = "button", .x = 0.5, .y = 0.5};
}

WorkflowStep ClickOn(std::string id, std::string name) {
  WorkflowStep step{
      .id = id,
      .intent = fmt::format("click button \"{}\"", name),
      .contract = {{"action_spec", {{"action_type", "click"}, {"selector", "id=" + id}}}},
      .element = Button(name),
      .signature = fmt::format("click {}", name),
      .recordings = 3};
  step.element->selectors = {"id=" + id};
  return step;
}

WorkflowStep Optional(WorkflowStep step, int recordings) {
  step.recordings = recordings;
  return step;
}

test::FakeElement There(const WorkflowStep& step) {
  return {.selectors = SelectorsOf(step), .fingerprint = *step.element};
}

// A shop with a workflow of its own.
struct Shop {
  Shop() {
    page.pages[std::string(kHome)] = {There(workflow.steps[0])};
    page.pages[std::string(kCart)] = {There(workflow.steps[1]), There(workflow.steps[2])};
    page.effects[workflow.steps[0].intent] = [this] { page.url = kCart; };
  }

  Task<PredictedReport> Run(CallContext ctx, std::string_view workflow_name = "buy") {
    order.run = RunId("run-1");
    order.session = WorkflowId("w1");
    order.workflow = workflow_name;
    order.news = [this](const json::object& step) { news.push_back(step); };
    std::unique_ptr<StepWay> way;
    if (workflow_name.empty()) {
      way = std::make_unique<FreeWay>(learnt);
    } else {
      way = std::make_unique<NamedWay>(workflow, BoundSteps(), learnt);
    }
    PredictedRun run(ctx, rooms, order, std::move(way));
    co_return co_await run.Go();
  }
  std::vector<WorkflowStep> BoundSteps() const {
    std::vector<WorkflowStep> bound;
    for (const WorkflowStep& step : workflow.steps)
      bound.push_back(Bind(step, order.values).value());
    return bound;
  }

  LearnedWorkflow workflow = {.name = "buy",
                              .recordings = 3,
                              .steps = {ClickOn("add", "Add to cart"), ClickOn("more", "One more"),
                                        ClickOn("order", "Place order")}};
  test::FakePage page;
  test::FakeLearnt learnt;
  test::FakeMemory memory;
  ActNumbers numbers;
  RunRooms rooms{.page = page, .learnt = learnt, .memory = memory, .numbers = numbers};
  RunOrder order;
  std::vector<json::object> news;
};

std::string Told(const PredictedReport& report) {
  return json::serialize(report.ToJson());
}

using Intents = std::vector<std::string>;

CO_TEST(PredictedRunTest, DoesTheStepsOfAWorkflowOneAfterTheOther) {
  Shop shop;

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(shop.page.Done(), (Intents{"click button \"Add to cart\"", "click button \"One more\"",
                                       "click button \"Place order\""}));
  EXPECT_EQ(report.steps.size(), 3U);
  EXPECT_EQ(report.steps[0].reason, "confidence_above_threshold_0.88");
  EXPECT_EQ(report.steps[0].source, "workflow");
  EXPECT_EQ(shop.news.size(), 3U);
}

CO_TEST(PredictedRunTest, EveryContractIsMarkedAndHasAnIdentityOfItsOwn) {
  Shop shop;

  co_await shop.Run(ctx);

  std::set<std::string> digests;
  for (const model::ActionContract& contract : shop.page.sent) {
    EXPECT_TRUE(IsPredicted(contract));
    EXPECT_EQ(contract.run_id, RunId("run-1"));
    EXPECT_EQ(contract.idempotency.scope, model::IdempotencyScope::kRun);
    digests.insert(contract.Identify().value().digest);
  }
  EXPECT_EQ(digests.size(), shop.page.sent.size());
}

CO_TEST(PredictedRunTest, LeavesOutAnOptionalStepWhoseElementIsNotThere) {
  Shop shop;
  shop.workflow.steps[1] = Optional(shop.workflow.steps[1], 1);
  shop.page.pages[std::string(kCart)] = {There(shop.workflow.steps[2])};

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(shop.page.Done(),
            (Intents{"click button \"Add to cart\"", "click button \"Place order\""}));
  EXPECT_EQ(report.steps[1].decision, StepDecision::kSkipped);
  EXPECT_EQ(report.steps[1].step, "more");
}

CO_TEST(PredictedRunTest, DoesAnOptionalStepThatIsUsuallyDone) {
  Shop shop;
  shop.workflow.recordings = 10;
  for (WorkflowStep& step : shop.workflow.steps) step.recordings = 10;
  shop.workflow.steps[1].recordings = 9;

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(shop.page.Done().size(), 3U) << Told(report);
}

CO_TEST(PredictedRunTest, WhatWasSeenMoreOftenDecidesBetweenSteps) {
  Shop shop;
  shop.workflow.steps[1] = Optional(shop.workflow.steps[1], 2);
  // Of what was done since the workflow was recorded, it was hardly ever done.
  shop.learnt.Say(SymbolOf("click Add to cart"), SymbolOf("click Place order"), 0.9, 40);
  shop.learnt.Say(SymbolOf("click Add to cart"), SymbolOf("click One more"), 0.1, 40);

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(shop.page.Done(),
            (Intents{"click button \"Add to cart\"", "click button \"Place order\""}))
      << Told(report);
  EXPECT_EQ(report.steps[2].source, "first_order");
}

CO_TEST(PredictedRunTest, AsksBetweenStepsThatAreAsLikely) {
  Shop shop;
  shop.order.limits.threshold = ThresholdOf(PredictProfile::kConservative);
  shop.workflow.recordings = 2;
  for (WorkflowStep& step : shop.workflow.steps) step.recordings = 2;
  shop.workflow.steps[1].recordings = 1;

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kAsks) << Told(report);
  EXPECT_TRUE(report.reason.starts_with("confidence_too_low_0.4")) << report.reason;
  EXPECT_EQ(report.question->candidates.size(), 2U);
  EXPECT_EQ(shop.page.Done().size(), 1U) << "nothing is done that is not sure";
  EXPECT_EQ(shop.numbers.asked_people, 1);
}

CO_TEST(PredictedRunTest, WaitsForWhatComesLate) {
  Shop shop;
  shop.page.pages[std::string(kHome)].clear();
  shop.page.on_wait = [&] {
    shop.page.pages[std::string(kHome)] = {There(shop.workflow.steps[0])};
  };

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(shop.page.sent[0].action_spec.type, model::ActionType::kWaitOnly);
  EXPECT_TRUE(IsPredicted(shop.page.sent[0])) << "nobody learns from a wait";
}

CO_TEST(PredictedRunTest, FindsAnElementAgainByItsFingerprint) {
  Shop shop;
  shop.page.pages[std::string(kHome)] = {
      {.selectors = {"id=c42", "role=button[name=\"Add to cart\"]"},
       .fingerprint = Button("Add to cart")},
      {.selectors = {"id=c43"}, .fingerprint = Button("Subscribe")}};

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(shop.memory.healed.size(), 1U);
  if (shop.memory.healed.empty()) co_return;
  const HealedStep& healed = shop.memory.healed[0];
  EXPECT_EQ(healed.workflow, "buy");
  EXPECT_EQ(healed.step, "add");
  EXPECT_EQ(healed.how.instead_of, "id=add");
  EXPECT_EQ(healed.how.selector, "id=c42");
  EXPECT_EQ(healed.how.turn, report.steps[0].turn.value());
  EXPECT_GT(healed.how.margin, 0.1);
  EXPECT_EQ(healed.how.ranker, kRankerVersion);
  EXPECT_EQ(healed.selectors, (Intents{"id=c42", "role=button[name=\"Add to cart\"]"}));
  EXPECT_TRUE(report.steps[0].healed.has_value());
}

CO_TEST(PredictedRunTest, AsksWhenItIsNotClearWhichElementItIs) {
  Shop shop;
  shop.page.pages[std::string(kHome)] = {
      {.selectors = {"id=c42"}, .fingerprint = Button("Add to cart")},
      {.selectors = {"id=c43"}, .fingerprint = Button("Add to cart")}};

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kAsks) << Told(report);
  EXPECT_EQ(report.reason, "element_missing: too_close_0.00");
  EXPECT_EQ(report.question->candidates.size(), 2U);
  EXPECT_TRUE(shop.page.Done().empty()) << "nothing is tried where it is not clear";
  EXPECT_EQ(shop.numbers.heals_refused, 1);
}

CO_TEST(PredictedRunTest, OneOfSeveralThatTheSelectorFindsIsFoundByItsFingerprint) {
  Shop shop;
  auto& home = shop.page.pages[std::string(kHome)];
  home = {{.selectors = {"id=add", "id=c42"}, .fingerprint = Button("Add to cart")},
          {.selectors = {"id=add", "id=c43"}, .fingerprint = Button("Something else")}};
  home[0].selectors = {"id=c42", "id=add"};

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(shop.memory.healed.size(), 1U);
}

CO_TEST(PredictedRunTest, AnElementFoundAgainThatDoesNothingIsNotKept) {
  Shop shop;
  shop.page.pages[std::string(kHome)] = {
      {.selectors = {"id=c42"}, .fingerprint = Button("Add to cart")}};
  shop.page.idle = {shop.workflow.steps[0].intent};

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kFailed) << Told(report);
  EXPECT_EQ(report.error->code(), ErrorCode::kWrongElement);
  EXPECT_TRUE(shop.memory.healed.empty());
}

CO_TEST(PredictedRunTest, HealsWhatIsLostWhileItIsCarriedOut) {
  Shop shop;
  const std::string intent = shop.workflow.steps[0].intent;
  shop.page.pages[std::string(kHome)] = {
      {.selectors = {"id=add"}, .fingerprint = Button("Add to cart")}};
  shop.page.failures.emplace(intent, Error(ErrorCode::kElementNotFound, "gone"));

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(shop.page.Done(), (Intents{intent, intent})) << "tried once more, not for ever";
  EXPECT_EQ(report.outcome, RunOutcome::kFailed) << Told(report);
}

CO_TEST(PredictedRunTest, WhatIsNotAllowedEndsAsRefused) {
  Shop shop;
  shop.page.failures.emplace(shop.workflow.steps[2].intent,
                             Error(ErrorCode::kApprovalDenied, "a person said no"));

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kRefused);
  EXPECT_EQ(report.reason, "APPROVAL_DENIED");
  EXPECT_EQ(report.steps.back().error->code(), ErrorCode::kApprovalDenied);
}

CO_TEST(PredictedRunTest, StopsWhenItIsCancelled) {
  Shop shop;
  CancelSource cancel;
  shop.page.effects[shop.workflow.steps[0].intent] = [&] {
    shop.page.url = kCart;
    cancel.Cancel({ErrorCode::kCancelled, "enough"});
  };

  const PredictedReport report = co_await shop.Run(ctx.WithCancel(cancel.token()));

  EXPECT_EQ(report.outcome, RunOutcome::kCancelled) << Told(report);
  EXPECT_EQ(shop.page.Done().size(), 1U);
}

TEST(PredictedRunTimeTest, TimeRunsOutButNotWhilePeopleDecide) {
  FakeClock clock;
  boost::asio::io_context io;
  Shop shop;
  shop.order.limits.timeout = std::chrono::minutes(5);
  shop.page.effects[shop.workflow.steps[0].intent] = [&] {
    shop.page.url = kCart;
    shop.page.asking(true);
    clock.Advance(std::chrono::hours(1));
    shop.page.asking(false);
  };
  shop.page.effects[shop.workflow.steps[1].intent] = [&] {
    clock.Advance(std::chrono::minutes(6));
  };

  std::optional<PredictedReport> report;
  test::RunCo(io, [](CallContext ctx, Shop* in, std::optional<PredictedReport>* out) -> Task<void> {
    out->emplace(co_await in->Run(ctx));
  }(CallContext(io.get_executor(), clock), &shop, &report));

  EXPECT_EQ(report->outcome, RunOutcome::kTimedOut) << Told(*report);
  EXPECT_EQ(shop.page.Done().size(), 2U) << "the hour did not count, the six minutes did";
  EXPECT_EQ(report->stood_still, std::chrono::hours(1));
}

CO_TEST(PredictedRunTest, DoesNotGoOnForEver) {
  Shop shop;
  shop.order.limits.max_iterations = 2;

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kMaxIterations);
  EXPECT_EQ(report.iterations, 2);
}

CO_TEST(PredictedRunTest, TellsWhatItWouldDoAndDoesNothing) {
  Shop shop;
  shop.order.mode = RunMode::kDryRun;

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted);
  EXPECT_EQ(report.reason, "dry_run");
  EXPECT_EQ(report.steps.size(), 3U) << Told(report);
  for (const StepReport& step : report.steps) EXPECT_EQ(step.decision, StepDecision::kWouldExecute);
  EXPECT_TRUE(shop.page.sent.empty());
}

struct FreeShop : Shop {
  FreeShop() {
    for (const WorkflowStep& step : workflow.steps) learnt.steps[SymbolOf(step.signature)] = step;
  }
  std::uint64_t Symbol(std::size_t at) const { return SymbolOf(workflow.steps[at].signature); }
};

CO_TEST(PredictedRunTest, GoesOnByPredictionAloneUntilTheEndIsPredicted) {
  FreeShop shop;
  shop.learnt.Say(0, shop.Symbol(0), 0.8);
  shop.learnt.Say(shop.Symbol(0), shop.Symbol(1), 0.7);
  shop.learnt.Say(shop.Symbol(1), kBoundary, 0.9);

  const PredictedReport report = co_await shop.Run(ctx, "");

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(report.reason, "end_predicted_0.90");
  EXPECT_EQ(shop.page.Done().size(), 2U);
}

CO_TEST(PredictedRunTest, AsksWhenNothingIsKnown) {
  FreeShop shop;

  const PredictedReport report = co_await shop.Run(ctx, "");

  EXPECT_EQ(report.outcome, RunOutcome::kAsks);
  EXPECT_EQ(report.reason, "no_predictions_available");
}

CO_TEST(PredictedRunTest, WhereWhatIsPredictedIsMissingItIsNotTheEnd) {
  FreeShop shop;
  shop.page.pages[std::string(kHome)].clear();
  shop.learnt.Say(0, shop.Symbol(0), 0.8);
  shop.learnt.Say(0, kBoundary, 0.2);

  const PredictedReport report = co_await shop.Run(ctx, "");

  EXPECT_EQ(report.outcome, RunOutcome::kAsks) << Told(report);
  EXPECT_TRUE(shop.page.Done().empty());
}

CO_TEST(PredictedRunTest, WhatCouldDoHarmIsAskedAboutWhenNobodyAskedForIt) {
  FreeShop shop;
  shop.page.needs = {model::Capability::kPurchase};
  shop.learnt.Say(0, shop.Symbol(0), 0.99);

  const PredictedReport report = co_await shop.Run(ctx, "");

  EXPECT_EQ(report.outcome, RunOutcome::kAsks);
  EXPECT_EQ(report.reason, "unsafe_filtered: PURCHASE");
  EXPECT_TRUE(shop.page.Done().empty());
  EXPECT_EQ(shop.numbers.unsafe_filtered, 1);
}

CO_TEST(PredictedRunTest, WhatStandsThereNowSaysWhetherItCouldDoHarm) {
  FreeShop shop;
  shop.page.pages[std::string(kHome)][0].fingerprint = Button("Delete account");
  shop.page.needs_of["Delete account"] = {model::Capability::kDelete};
  shop.learnt.Say(0, shop.Symbol(0), 0.99);

  const PredictedReport report = co_await shop.Run(ctx, "");

  EXPECT_EQ(report.outcome, RunOutcome::kAsks);
  EXPECT_EQ(report.reason, "unsafe_filtered: DELETE");
  EXPECT_TRUE(shop.page.Done().empty());
}

CO_TEST(PredictedRunTest, ALesserSelectorDoesNotLeadToSomethingGrave) {
  Shop shop;
  shop.workflow.steps[0] = WithSelectors(shop.workflow.steps[0], {"text=Add to cart", "id=add"});
  shop.page.pages[std::string(kHome)][0].fingerprint = Button("Delete account");
  shop.page.needs_of["Delete account"] = {model::Capability::kDelete};

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kAsks) << Told(report);
  EXPECT_EQ(report.reason, "unsafe_filtered: DELETE");
  EXPECT_TRUE(shop.page.Done().empty());
}

CO_TEST(PredictedRunTest, HealingTakesNothingGraveForSomethingHarmless) {
  Shop shop;
  const std::string name = "Delete account, or add to cart";
  shop.page.pages[std::string(kHome)] = {{.selectors = {"id=other"}, .fingerprint = Button(name)}};
  shop.page.needs_of[name] = {model::Capability::kDelete};

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kAsks) << Told(report);
  EXPECT_EQ(report.reason, "element_missing: unsafe_filtered: DELETE");
  EXPECT_TRUE(shop.page.Done().empty());
  EXPECT_EQ(shop.numbers.heals_refused, 1);
}

CO_TEST(PredictedRunTest, NoticesThatItGoesRoundInCircles) {
  FreeShop shop;
  shop.page.effects.clear();
  shop.page.idle = {shop.workflow.steps[0].intent};
  shop.learnt.Say(0, shop.Symbol(0), 0.9);
  shop.learnt.Say(shop.Symbol(0), shop.Symbol(0), 0.9);

  const PredictedReport report = co_await shop.Run(ctx, "");

  EXPECT_EQ(report.outcome, RunOutcome::kLooping) << Told(report);
  // The first was done in another state: nothing was known of the page then.
  EXPECT_EQ(shop.page.Done().size(), 4U);
}

CO_TEST(PredictedRunTest, PreparedElementsAreNotLookedForAgain) {
  Shop shop;
  shop.order.limits.preparing = Preparing::kNothing;
  co_await shop.Run(ctx);
  const int without = shop.page.probes;

  Shop prepared;
  prepared.order.limits.preparing = Preparing::kNext;
  const PredictedReport report = co_await prepared.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(without, 3);
  EXPECT_EQ(prepared.page.probes, 3) << "a page that may have changed is looked at again";
}

// Says what a test has written down.
class FakeAdviser final : public NextActionAdviser {
 public:
  std::vector<Result<Advice>> says;
  std::vector<AdviceQuestion> asked;

  Task<Result<Advice>> Ask(CallContext /*ctx*/, AdviceQuestion question) override {
    asked.push_back(std::move(question));
    if (asked.size() > says.size())
      co_return Fail(ErrorCode::kProviderError, "nothing more is written down");
    co_return says[asked.size() - 1];
  }
  void Say(json::object action_spec) {
    says.emplace_back(Advice{.action_spec = std::move(action_spec), .tokens = 100});
  }
};

// A banner is in the way of the first step, and only a model knows what to do about it.
struct AdvisedShop : Shop {
  AdvisedShop() {
    page.pages[std::string(kHome)] = {
        {.selectors = {"id=accept"}, .fingerprint = Button("Accept all")}};
    page.effects["click button \"Accept all\""] = [this, first = workflow.steps[0]] {
      page.pages[std::string(kHome)] = {There(first)};
    };
    rooms.adviser = &adviser;
  }
  FakeAdviser adviser;
};

CO_TEST(PredictedRunTest, AModelIsAskedWhereNothingIsSureAndWhatItSaysIsLearnt) {
  AdvisedShop shop;
  shop.adviser.Say({{"action_type", "click"}, {"target_eid", "d1e0"}});

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(shop.adviser.asked.size(), 1U);
  EXPECT_EQ(report.steps[0].by, ChosenBy::kModel);
  EXPECT_FALSE(IsPredicted(shop.page.sent.at(1))) << "a model chose it";
  EXPECT_EQ(shop.memory.advised.size(), 1U);
  if (shop.memory.advised.empty()) co_return;
  EXPECT_EQ(shop.memory.advised[0].workflow, "buy");
  EXPECT_EQ(shop.memory.advised[0].after, "");
  EXPECT_EQ(SelectorsOf(shop.memory.advised[0].step), (Intents{"id=accept"}));
  EXPECT_EQ(shop.numbers.model_tokens, 100);
}

CO_TEST(PredictedRunTest, WhatAModelTaughtCostsNothingTheSecondTime) {
  AdvisedShop shop;
  shop.adviser.Say({{"action_type", "click"}, {"target_eid", "d1e0"}});
  co_await shop.Run(ctx);
  EXPECT_EQ(shop.memory.advised.size(), 1U);
  if (shop.memory.advised.empty()) co_return;

  AdvisedShop again;
  WorkflowStep learnt = shop.memory.advised[0].step;
  learnt.recordings = 1;
  again.workflow.steps.insert(again.workflow.steps.begin(), learnt);
  const PredictedReport report = co_await again.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_TRUE(again.adviser.asked.empty());
}

CO_TEST(PredictedRunTest, AModelIsToldNamesAndNoValues) {
  AdvisedShop shop;
  shop.order.values = {{"full_name", "Ada Lovelace"}};
  shop.adviser.Say({{"action_type", "click"}, {"target_eid", "d1e0"}});

  co_await shop.Run(ctx);

  EXPECT_EQ(shop.adviser.asked.at(0).parameters, (Intents{"full_name"}));
  EXPECT_EQ(shop.adviser.asked.at(0).still.size(), 3U);
}

CO_TEST(PredictedRunTest, AModelMayDoNoMoreThanPredictionAlone) {
  AdvisedShop shop;
  shop.page.needs = {model::Capability::kDelete};
  shop.adviser.Say({{"action_type", "click"}, {"target_eid", "d1e0"}});

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kAsks) << Told(report);
  EXPECT_TRUE(report.reason.contains("unsafe_filtered: DELETE")) << report.reason;
  EXPECT_TRUE(shop.page.Done().empty());
}

CO_TEST(PredictedRunTest, WhereAModelKnowsNothingEitherAPersonIsAsked) {
  AdvisedShop shop;
  shop.adviser.says.emplace_back(Advice{});

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kAsks);
  EXPECT_TRUE(report.reason.ends_with("; model_sees_nothing_to_do")) << report.reason;
}

CO_TEST(PredictedRunTest, AModelThatFailsIsNoEnd) {
  AdvisedShop shop;

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kAsks);
  EXPECT_TRUE(report.reason.ends_with("; PROVIDER_ERROR")) << report.reason;
}

CO_TEST(PredictedRunTest, AModelThatMeansTheNextStepSimplySaysSo) {
  Shop shop;
  FakeAdviser adviser;
  shop.rooms.adviser = &adviser;
  shop.order.limits.model_below = 0.95;
  adviser.Say({{"action_type", "click"}, {"target_eid", "d1e0"}});
  adviser.Say({{"action_type", "click"}, {"target_eid", "d1e0"}});
  adviser.Say({{"action_type", "click"}, {"target_eid", "d1e1"}});

  const PredictedReport report = co_await shop.Run(ctx);

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(report.steps[2].step, "order");
  EXPECT_TRUE(shop.memory.advised.empty()) << "it is known already";
}

CO_TEST(PredictedRunTest, TheWayToAnotherHostIsPreparedWhileAStepIsDone) {
  Shop shop;
  shop.order.limits.preparing = Preparing::kNext;
  shop.workflow.steps[2].contract["action_spec"] = {{"action_type", "navigate"},
                                                    {"url", "https://pay.example/go?id=7"}};
  shop.workflow.steps[2].element.reset();

  co_await shop.Run(ctx);

  EXPECT_FALSE(shop.page.warmed.empty());
  for (const std::string& url : shop.page.warmed) EXPECT_EQ(url, "https://pay.example/");
}

}  // namespace
}  // namespace falconer::predict
