#include "engine/replay/turn_end.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "tests/support/turn_fakes.h"
#include "tests/support/turn_story.h"

namespace falconer::engine {
namespace {

// What the machine says of a turn that is open and ends so.
kernel::TurnEnd ByTheMachine(const model::ActionExecutionResult& result) {
  const test::TurnStory story;
  const FakeClock clock;
  test::RecordingSink sink;
  kernel::EventStamper stamper(story.session, "p1", clock);
  kernel::TurnMachine machine(story.turn, stamper, sink, sink);
  EXPECT_TRUE(machine.Propose() && machine.Admitted() && machine.Authorised(story.lease.epoch));
  EXPECT_TRUE(machine.Open(model::ParseTurnPlan(story.opened.at("resolved_plan")).value()));
  EXPECT_TRUE(machine.Note(CauseOf(result), DetailOf(result)));
  const auto end = machine.Resolve();
  EXPECT_TRUE(end && *end);
  return end && *end ? **end : kernel::TurnEnd();
}

TEST(TurnEndTest, IsWhatTheMachineWillSay) {
  model::ActionExecutionResult success;
  success.success = true;
  EXPECT_EQ(EndOf(success), ByTheMachine(success));
  EXPECT_EQ(EndJson(EndOf(success)), *ParseJson(R"({"outcome":"commit"})"));

  for (const ErrorCode code :
       {ErrorCode::kStaleEpoch, ErrorCode::kCancelled, ErrorCode::kSessionClosed,
        ErrorCode::kProviderError, ErrorCode::kTimeout, ErrorCode::kBrowserGone,
        ErrorCode::kTabCrashed, ErrorCode::kIoError, ErrorCode::kPostconditionFailed}) {
    model::ActionExecutionResult failed;
    failed.failure = model::ActionFailure::Of(Error(code, "why"));
    EXPECT_EQ(EndOf(failed), ByTheMachine(failed)) << TraitsOf(code).name;
    EXPECT_EQ(EndJson(EndOf(failed)).at("outcome").as_string(), "abort");
  }
}

}  // namespace
}  // namespace falconer::engine
