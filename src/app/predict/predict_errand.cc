#include "app/predict/predict_errand.h"

#include <utility>

#include "api/tools/predict_wishes.h"
#include "app/approvals/terminal_channel.h"
#include "app/mcp/lazy_host.h"
#include "engine/approvals/approval_desk.h"

namespace falconer::app {
namespace {

struct ErrandFrame {
  Program& program;
  Terminal& terminal;
  const Arguments& arguments;
  const PredictErrand& errand;
  LazyHost& host;
  TerminalChannel& people;
  json::object answer = {};
};

Task<Result<void>> DoErrand(ErrandFrame* frame) {
  CO_TRY_ASSIGN(const api::ToolRooms rooms, frame->host.Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, api::PredictDeskOf(rooms));
  rooms.runtime->parts().control.approvals.AddChannel(frame->people);
  PredictWork work{.program = frame->program,
                   .terminal = frame->terminal,
                   .arguments = frame->arguments,
                   .open = [frame] { return frame->host.Rooms(); },
                   .rooms = rooms,
                   .desk = *desk};
  CO_TRY_ASSIGN(frame->answer, co_await frame->errand.work(&work));
  co_return Result<void>();
}

// What was opened is closed in every case.
Task<Result<void>> DoAndClose(ErrandFrame* frame) {
  auto done = co_await DoErrand(frame);
  co_await frame->host.Stop(frame->program.NewCleanup());
  co_return done;
}

int ExitCodeOf(const PredictErrand& errand, const json::object& answer) {
  return errand.code == nullptr ? kExitOk : errand.code(answer);
}

void PrintErrand(const ErrandFrame& frame, int code) {
  if (!frame.arguments.wants_json) return frame.errand.print(frame.answer, frame.terminal);
  json::object out{{"ok", code == kExitOk}};
  for (const auto& [key, value] : frame.answer) out[key] = value;
  PrintJson(frame.terminal, out);
}

}  // namespace

int RunPredictErrand(const Arguments& arguments, Terminal& terminal, const PredictErrand& errand,
                     Settings (*settings)(const Arguments& arguments, Settings own)) {
  auto program = Program::Create(arguments, LogReader::kPerson);
  if (!program) return Refuse(arguments, terminal, program.error());
  HostWishes wishes{.browser = errand.browser};
  if (settings != nullptr) wishes.settings = settings(arguments, (*program)->settings());
  TerminalChannel people(terminal);
  ClientApprovals approvals((*program)->settings());
  LazyHost host(**program, approvals, std::move(wishes));
  ErrandFrame frame{.program = **program,
                    .terminal = terminal,
                    .arguments = arguments,
                    .errand = errand,
                    .host = host,
                    .people = people};
  const Result<void> done = (*program)->Run(DoAndClose(&frame));
  if (!done) {
    const int code = Refuse(arguments, terminal, done.error());
    return code == kExitFailed ? (*program)->FailureCode() : code;
  }
  const int code = ExitCodeOf(errand, frame.answer);
  PrintErrand(frame, code);
  return code;
}

}  // namespace falconer::app
