#include "app/predict/record_command.h"

#include <fmt/format.h>
#include <utility>

#include "app/display.h"
#include "app/predict/recorder.h"
#include "app/predict/workflow_view.h"
#include "app/serve/serve_command.h"
#include "predict/workflows/workflow_shelf.h"

namespace falconer::app {
namespace {

Settings WindowSettings(const Arguments&, Settings settings) {
  settings = RecordSettings(std::move(settings));
  settings.browser.full = true;
  settings.browser.headless = false;
  return settings;
}

Task<Result<json::object>> RecordInWindow(PredictWork* work) {
  CO_TRY_ASSIGN(std::string id, co_await BeginRecord(work, RecordPlan::Of(work->arguments)));
  work->terminal.Complain(
      fmt::format("recording {}: do in the window what is to be learnt; Enter or Ctrl+C ends and "
                  "saves",
                  work->arguments.learned));
  co_await UntilRecorded(work->program.NewCall());
  co_return co_await EndRecord(work, std::move(id));
}

void PrintRecording(const json::object& answer, Terminal& terminal) {
  PrintWorkflow(terminal, answer.at("workflow").as_object(), answer.at("confidence").as_object());
  terminal.Print("do it again: falconer replay --act " +
                 TextAt(answer.at("workflow").as_object(), "name"));
}

// Any port will do, unless it is named.
int RecordLive(Arguments arguments, Terminal& terminal) {
  arguments.settings.insert(arguments.settings.begin(), "serve.port=0");
  arguments.opens_console = true;
  return RunServe(arguments, terminal);
}

}  // namespace

void PrintRecorded(const Arguments& arguments, Terminal& terminal, const json::object& answer) {
  PrintDeskAnswer(arguments, terminal, answer, PrintRecording);
}

int RunRecord(const Arguments& arguments, Terminal& terminal) {
  if (arguments.is_live && arguments.is_visible) {
    return Refuse(arguments, terminal,
                  {ErrorCode::kInvalidArgument, "--live: cannot be with --visible"});
  }
  if (const auto named = predict::CheckWorkflowName(arguments.learned); !named)
    return Refuse(arguments, terminal, named.error());
  const bool in_window = arguments.is_visible || (!arguments.is_live && HasDisplay());
  if (!in_window) return RecordLive(arguments, terminal);
  return RunPredictErrand(
      arguments, terminal,
      {.work = RecordInWindow, .print = PrintRecording, .browser = BrowserStart::kAtOnce},
      WindowSettings);
}

}  // namespace falconer::app
