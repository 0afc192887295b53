#include "app/predict/recorder.h"

#include <unistd.h>
#include <utility>

#include "app/demo/enter_key.h"
#include "app/predict/start_page.h"
#include "base/async/alarm.h"

namespace falconer::app {

RecordPlan RecordPlan::Of(const Arguments& arguments) {
  return {.workflow = arguments.learned,
          .session = arguments.session.empty() ? arguments.learned : arguments.session,
          .url = arguments.url};
}

Settings RecordSettings(Settings settings) {
  settings.sessions.idle_close = std::chrono::milliseconds(0);
  return settings;
}

Task<Result<std::string>> BeginRecord(PredictWork* work, RecordPlan plan) {
  CO_TRY_ASSIGN(const auto begun, co_await work->desk.BeginRecording(
                                      work->program.NewCall(), work->caller(),
                                      {.workflow = plan.workflow, .session = plan.session}));
  const auto opened = co_await OpenStartPage(work, plan.session, plan.url);
  if (opened) co_return begun.id;
  // What could not begin leaves nothing behind.
  [[maybe_unused]] const auto dropped = work->desk.DropRecording(work->caller(), begun.id);
  co_return Fail(opened.error());
}

Task<void> UntilRecorded(CallContext ctx) {
  // Nobody can press a key where input is a file, or nothing at all.
  if (::isatty(STDIN_FILENO) == 1) {
    static_cast<void>(co_await WaitForEnter(ctx));
    co_return;
  }
  Alarm never(ctx.executor(), ctx.clock());
  static_cast<void>(co_await ctx.Wait(&never, "the end of the recording"));
}

Task<Result<json::object>> EndRecord(PredictWork* work, std::string id) {
  CO_TRY_ASSIGN(
      const auto workflow,
      co_await work->desk.EndRecording(work->program.NewCleanup(), work->caller(), std::move(id)));
  CO_TRY_ASSIGN(json::object confidence,
                co_await work->desk.Confidence(work->caller().tenant, workflow.name));
  co_return json::object{{"workflow", workflow.ToJson()}, {"confidence", std::move(confidence)}};
}

}  // namespace falconer::app
