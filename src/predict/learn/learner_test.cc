#include "predict/learn/learner.h"

#include <utility>

#include "tests/support/co_test.h"

namespace falconer::predict {
namespace {

const TenantId kForgetful("forgetful");

// Counts what is written, and lets a test do something while it forgets.
class FakeStore final : public store::PredictionStore {
 public:
  int written = 0;
  std::function<Task<void>()> while_forgetting;

  Task<Result<void>> PutLearnt(store::LearntBatch) override {
    ++written;
    co_return Result<void>();
  }
  Task<Result<store::LearntContexts>> LoadContexts(TenantId, std::string) override {
    co_return store::LearntContexts();
  }
  Task<Result<void>> PutNode(TenantId, std::string, std::vector<store::ContextRow>) override {
    co_return Result<void>();
  }
  Task<Result<std::vector<store::KnownAction>>> LoadActions(TenantId) override {
    co_return std::vector<store::KnownAction>();
  }
  Task<Result<std::vector<store::TopTransition>>> TopTransitions(TenantId, std::size_t) override {
    co_return std::vector<store::TopTransition>();
  }
  Task<Result<void>> BoundLearnt(TenantId, store::LearntBound) override {
    co_return Result<void>();
  }
  Task<Result<void>> ForgetLearnt(TenantId) override {
    co_await while_forgetting();
    co_return Result<void>();
  }
};

LearntStep OpenedThePage() {
  RecordedStep step;
  step.spec.type = model::ActionType::kNavigate;
  step.spec.url = "https://shop.example/";
  return {.step = std::move(step), .succeeded = true, .at = WallTime()};
}

Task<void> StopLearning(Learner* learner) {
  co_await learner->Stop();
}

CO_TEST(LearnerTest, WhatIsBeingForgottenIsNotWrittenOnceMore) {
  FakeStore store;
  SystemClock clock;
  PredictMeter meter(clock);
  Learner learner(
      {.learnt = store, .clock = clock, .executor = ctx.executor(), .node = "n1", .options = {}},
      meter);
  store.while_forgetting = [&learner] { return StopLearning(&learner); };
  learner.Note(kForgetful, "s1", OpenedThePage());
  const auto ready = co_await learner.Ready(ctx, kForgetful);
  EXPECT_TRUE(ready);

  const auto forgotten = co_await learner.Forget(ctx, kForgetful);

  EXPECT_TRUE(forgotten);
  EXPECT_EQ(store.written, 0);
}

}  // namespace
}  // namespace falconer::predict
