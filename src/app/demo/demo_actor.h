#pragma once
// DemoActor: the agent of the demo. What it does is a contract each time, sent to the runtime as
// anybody's is, and told as a step.

#include <functional>
#include <string>
#include <string_view>

#include "api/tools/tool_host.h"
#include "app/demo/demo_report.h"
#include "app/demo/demo_stage.h"
#include "model/contract/result.h"

namespace falconer::app {

class DemoActor {
 public:
  // The runtime, and who acts, as they are now.
  using Rooms = std::function<Result<api::ToolRooms>()>;

  // The workflow that owns the demo's session.
  static constexpr std::string_view kWorkflow = "demo";

  // Stage and report must outlive the actor. `pause` is before each step, for people who watch.
  DemoActor(Rooms rooms, const DemoStage& stage, DemoReport& report, Duration pause);

  // A contract from its text, in which {{shop}} and {{collector}} are addresses; each has a place
  // of its own in the run.
  Result<json::object> Contract(std::string_view text);

  // Sends a contract and answers what came of it, refusals and failures too.
  Task<Result<model::ActionExecutionResult>> Send(CallContext ctx, json::object contract);
  // The same; fails as the contract did.
  Task<Result<model::ActionExecutionResult>> Do(CallContext ctx, json::object contract);
  // Does it and tells it as a step; `remark` stands behind what was done.
  Task<Result<void>> Show(CallContext ctx, std::string_view contract, std::string_view remark = "");
  // Sends what must be refused for reasons of policy, and tells the refusal as a step: the code and
  // the denial under which it is on record. kPostconditionFailed when it was not.
  Task<Result<model::ActionFailure>> ShowRefusal(CallContext ctx, std::string_view contract,
                                                 std::string what);
  Task<Result<std::string>> ReadText(CallContext ctx, std::string_view contract);
  // The bytes of the picture that a contract takes.
  Task<Result<std::string>> TakePicture(CallContext ctx, std::string_view contract);

  // Before a step: the pause, and the beginning of its time.
  Task<Result<void>> BeginStep(CallContext ctx);

  Result<api::ToolRooms> rooms() const { return rooms_(); }
  const std::string& run() const { return run_; }

 private:
  Task<Result<void>> UntilHandedBack(CallContext ctx);

  Rooms rooms_;
  const DemoStage& stage_;
  DemoReport& report_;
  Duration pause_;
  std::string run_;
  int step_ = 0;
};

}  // namespace falconer::app
