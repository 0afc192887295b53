#include "bench/predict/predicted_step.h"

#include <algorithm>
#include <utility>

#include "bench/samples.h"
#include "predict/act/named_way.h"
#include "predict/act/predicted_run.h"
#include "predict/act/session_page.h"

namespace falconer::bench {
namespace {

using std::chrono::duration_cast;

constexpr std::string_view kSession = "predict-bench";
constexpr auto kModelTime = std::chrono::seconds(1);
constexpr int kRounds = 5;
constexpr int kPredictedInRound = 20;
constexpr double kAimTimes = 20;

// Says what is right, a second after it was asked.
class SlowModel final : public predict::NextActionAdviser {
 public:
  Task<Result<predict::Advice>> Ask(CallContext ctx, predict::AdviceQuestion question) override {
    const auto found = std::ranges::find_if(question.elements, [](const auto& element) {
      return element.fingerprint.name == "Increment";
    });
    Alarm answer(ctx.executor(), ctx.clock());
    (void)co_await answer.Wait(Deadline::At(ctx.clock().Now() + kModelTime));
    if (found == question.elements.end()) co_return predict::Advice();
    co_return predict::Advice{
        .action_spec = json::object{{"action_type", "click"}, {"target_eid", found->ref}}};
  }
};

// Knows nothing: the workflow alone says what comes next.
class NothingLearnt final : public predict::LearntNext {
 public:
  std::vector<predict::Prediction> Predict(const predict::PredictQuestion&) const override {
    return {};
  }
  std::optional<predict::WorkflowStep> StepOf(std::uint64_t) const override { return {}; }
  std::uint64_t PageOf(const std::string&) const override { return 0; }
};

class NoMemory final : public predict::RunMemory {
 public:
  void OnHealed(const predict::HealedStep&) override {}
  void OnAdvised(const predict::AdvisedStep&) override {}
};

predict::LearnedWorkflow OneClick() {
  model::Fingerprint button{.role = "button",
                            .name = "Increment",
                            .tag = "button",
                            .selectors = {"role=button[name=\"Increment\"]"}};
  return {.name = "count",
          .recordings = 3,
          .steps = {{.id = "increment",
                     .intent = "click button \"Increment\"",
                     .contract = {{"action_spec",
                                   {{"action_type", "click"}, {"selector", button.selectors[0]}}}},
                     .element = button,
                     .signature = R"({"selector":"button \"Increment\"","type":"click"})",
                     .recordings = 3}}};
}

class StepBench {
 public:
  StepBench(app::Program& program, app::RuntimeHost& host)
      : program_(program),
        page_(host.runtime(), host.local_caller(), WorkflowId(std::string(kSession))) {}

  Task<Result<void>> Open(std::string url) {
    const json::object contract{{"workflow_id", kSession},
                                {"run_id", "open"},
                                {"action_spec", {{"action_type", "navigate"}, {"url", url}}}};
    CO_TRY_ASSIGN(auto read, model::ActionContract::FromJson(contract));
    const auto result = co_await page_.Execute(program_.NewCall(), std::move(read));
    if (result.success) co_return Result<void>();
    co_return falconer::Fail(ErrorCode::kInternalError, "the page was not opened");
  }

  // With more confidence asked for than there is, the model is.
  Task<Result<Nanos>> Once(double threshold) {
    const predict::LearnedWorkflow workflow = OneClick();
    predict::RunOrder order{.run = RunId("count-" + std::to_string(++runs_)),
                            .session = WorkflowId(std::string(kSession)),
                            .workflow = workflow.name,
                            .limits = {.threshold = threshold, .model_below = threshold}};
    const TimePoint begun = program_.clock().Now();
    predict::PredictedRun run(
        program_.NewCall(),
        {.page = page_,
         .learnt = learnt_,
         .memory = memory_,
         .numbers = numbers_,
         .adviser = &model_},
        std::move(order), std::make_unique<predict::NamedWay>(workflow, workflow.steps, learnt_));
    const predict::PredictedReport report = co_await run.Go();
    if (report.outcome != predict::RunOutcome::kCompleted || report.steps.size() != 1)
      co_return falconer::Fail(ErrorCode::kInternalError, json::serialize(report.ToJson()));
    co_return duration_cast<Nanos>(program_.clock().Now() - begun);
  }

  std::int64_t model_calls() const { return numbers_.asked_model; }

 private:
  app::Program& program_;
  predict::SessionPage page_;
  SlowModel model_;
  NothingLearnt learnt_;
  NoMemory memory_;
  predict::ActNumbers numbers_;
  int runs_ = 0;
};

}  // namespace

Task<Result<std::vector<Row>>> MeasurePredictedStep(app::Program* program, app::RuntimeHost* host,
                                                    std::string url) {
  StepBench bench(*program, *host);
  CO_TRY(co_await bench.Open(std::move(url)));
  Samples predicted;
  Samples asked;
  CO_TRY(co_await bench.Once(0));
  for (int round = 0; round < kRounds; ++round) {
    for (int n = 0; n < kPredictedInRound; ++n) {
      CO_TRY_ASSIGN(const Nanos took, co_await bench.Once(0));
      predicted.Add(took, 0);
    }
    CO_TRY_ASSIGN(const Nanos took, co_await bench.Once(1));
    asked.Add(took, 0);
  }
  if (bench.model_calls() != kRounds)
    co_return falconer::Fail(ErrorCode::kInternalError, "the model was not asked each time");
  co_return std::vector<Row>{{.name = "predicted_step",
                              .value = predicted.Percentile(0.5),
                              .unit = "ms",
                              .baseline = Baseline{.name = "the same step with a model call of 1 s",
                                                   .value = asked.Percentile(0.5),
                                                   .ratio = Ratio::kTimesBaseline},
                              .aim = Aim{.bound = Aim::Bound::kAtLeast, .limit = kAimTimes}}};
}

}  // namespace falconer::bench
