#pragma once
// RunningAction: an action that is under way while the test goes on.

#include <string>
#include <utility>

#include "base/async/one_shot.h"
#include "base/async/task_scope.h"
#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {

class RunningAction {
 public:
  // Starts the action (JSON text). It may be called off.
  RunningAction(BrowserFixture& t, std::string action)
      : ctx_(t.ctx), outcome_(t.ctx), scope_(t.ctx.executor()) {
    scope_.Spawn("action", Run(&t, std::move(action)));
  }

  void Cancel() { cancel_.Cancel(Error(ErrorCode::kCancelled, "called off by the test")); }
  bool is_over() const { return outcome_.is_set(); }

  // What came of it. Called once.
  Task<Result<model::ActionOutcome>> Outcome() {
    auto outcome =
        co_await outcome_.Wait(ctx_.WithTimeout(std::chrono::seconds(20)), "the action to end");
    co_await scope_.Join();
    if (!outcome) co_return std::unexpected(outcome.error());
    co_return *std::move(outcome);
  }

 private:
  Task<void> Run(BrowserFixture* t, std::string action) {
    outcome_.Set(co_await Perform(t, std::move(action)));
  }
  Task<Result<model::ActionOutcome>> Perform(BrowserFixture* t, std::string action) {
    CO_TRY_ASSIGN(const auto parsed, ParseJson(action));
    CO_TRY_ASSIGN(auto spec, model::ActionSpec::FromJson(parsed));
    co_return co_await t->driver.Perform(ctx_.WithCancel(cancel_.token()), std::move(spec));
  }

  CallContext ctx_;
  CancelSource cancel_;
  OneShot<Result<model::ActionOutcome>> outcome_;
  TaskScope scope_;
};

}  // namespace falconer::test
