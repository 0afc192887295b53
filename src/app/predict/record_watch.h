#pragma once
// RecordWatch: a recording in a server, for who has no display: what is to be learnt is done in the
// live view of the console.

#include <memory>
#include <optional>

#include "app/predict/recorder.h"
#include "app/serve/serve_guest.h"
#include "base/async/task_scope.h"

namespace falconer::app {

class RecordWatch final : public ServeGuest {
 public:
  // All must outlive the watch.
  RecordWatch(Program& program, Terminal& terminal, const Arguments& arguments);

  HostWishes Wishes() const override;
  void Start(OpenRooms rooms) override;
  Task<Result<void>> UntilOver(CallContext ctx) override;
  // Prints the workflow that it became.
  Task<Result<void>> Finish() override;
  Task<void> Stop(CallContext ctx) override;

 private:
  static Task<void> Begin(RecordWatch* self, OpenRooms rooms);
  Task<Result<void>> TryBegin(OpenRooms rooms);

  Program& program_;
  Terminal& terminal_;
  const Arguments& arguments_;
  const RecordPlan plan_;
  std::unique_ptr<PredictWork> work_;  // once the rooms are open
  std::string recording_;              // "" for none under way
  Result<void> begun_;
  CancelSource over_;  // it failed, or the program is interrupted
  TaskScope tasks_;
};

}  // namespace falconer::app
