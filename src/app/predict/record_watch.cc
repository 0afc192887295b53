#include "app/predict/record_watch.h"

#include <fmt/format.h>
#include <utility>

#include "api/tools/predict_wishes.h"
#include "app/predict/record_command.h"

namespace falconer::app {

RecordWatch::RecordWatch(Program& program, Terminal& terminal, const Arguments& arguments)
    : program_(program),
      terminal_(terminal),
      arguments_(arguments),
      plan_(RecordPlan::Of(arguments)),
      tasks_(program.executor()) {
}

HostWishes RecordWatch::Wishes() const {
  return {.settings = RecordSettings(program_.settings())};
}

void RecordWatch::Start(OpenRooms rooms) {
  tasks_.Spawn("record.begin", Begin(this, std::move(rooms)));
}

Task<void> RecordWatch::Begin(RecordWatch* self, OpenRooms rooms) {
  self->begun_ = co_await self->TryBegin(std::move(rooms));
  if (!self->begun_) {
    self->over_.Cancel(self->begun_.error());
    co_return;
  }
  self->terminal_.Complain(
      fmt::format("recording {}: open the session {} in the console, take it over, and do there "
                  "what is to be learnt; Enter or Ctrl+C ends and saves",
                  self->plan_.workflow, self->plan_.session));
}

Task<Result<void>> RecordWatch::TryBegin(OpenRooms rooms) {
  CO_TRY_ASSIGN(const api::ToolRooms opened, rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, api::PredictDeskOf(opened));
  work_.reset(new PredictWork{.program = program_,
                              .terminal = terminal_,
                              .arguments = arguments_,
                              .open = std::move(rooms),
                              .rooms = opened,
                              .desk = *desk});
  CO_TRY_ASSIGN(recording_, co_await BeginRecord(work_.get(), plan_));
  co_return Result<void>();
}

Task<Result<void>> RecordWatch::UntilOver(CallContext ctx) {
  const Subscription off =
      ctx.cancel().OnCancel([this] { over_.Cancel({ErrorCode::kCancelled, "interrupted"}); });
  co_await UntilRecorded(ctx.WithCancel(over_.token()));
  co_return begun_;
}

Task<Result<void>> RecordWatch::Finish() {
  co_await tasks_.Join();
  if (recording_.empty()) co_return Result<void>();
  CO_TRY_ASSIGN(const json::object answer,
                co_await EndRecord(work_.get(), std::exchange(recording_, {})));
  PrintRecorded(arguments_, terminal_, answer);
  co_return Result<void>();
}

Task<void> RecordWatch::Stop(CallContext) {
  co_return;
}

}  // namespace falconer::app
