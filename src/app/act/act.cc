#include "app/act/act.h"

#include <fmt/format.h>

#include "app/act/act_run.h"
#include "app/approvals/terminal_channel.h"
#include "base/random.h"

namespace falconer::app {
namespace {

// Read before anything else is there: while it waits for input, a signal is the system's.
Result<ActInput> ReadInput(const Arguments& arguments) {
  const ActDefaults defaults{.workflow = arguments.workflow,
                             .run = "run-" + RandomHex(6),
                             .mode = arguments.is_dry ? ActMode::kDry : ActMode::kReal};
  TRY_ASSIGN(const std::string text, ReadActText(arguments.file));
  return ParseActInput(text, defaults);
}

int RunInput(const Arguments& arguments, const ActInput& input, ActReport& report,
             Terminal& terminal) {
  TerminalChannel people(terminal);
  const auto program = Program::Create(arguments, LogReader::kPerson);
  if (!program) {
    report.Broke(program.error());
    return kExitUsage;
  }
  const auto host = RuntimeHost::Open(**program);
  if (!host) {
    report.Broke(host.error());
    return host.error().code() == ErrorCode::kInvalidSetting ? kExitUsage : kExitFailed;
  }
  (*host)->approvals().AddChannel(people);
  ActRun run(**program, **host, input, report);
  const auto done = (*program)->Run(
      run.Go(arguments.keeps_going ? AfterFailure::kKeepGoing : AfterFailure::kStop));
  // An interruption that a contract already told of needs no second word.
  const bool is_told = run.end() != ActEnd::kOk;
  if (!done && !(is_told && done.error().code() == ErrorCode::kCancelled))
    report.Broke(done.error());
  if (done && run.end() == ActEnd::kOk) return kExitOk;
  const int code = (*program)->FailureCode();
  if (code != kExitFailed) return code;
  if (done) return RowOf(run.end()).exit_code;
  const bool may_have_happened = done.error().code() == ErrorCode::kOutcomeUnknown;
  return may_have_happened ? RowOf(ActEnd::kUnknown).exit_code : kExitFailed;
}

}  // namespace

int RunAct(const Arguments& arguments, Terminal& terminal) {
  ActReport report(terminal, arguments.form());
  const auto input = ReadInput(arguments);
  if (!input) {
    report.Broke(input.error());
    return kExitUsage;
  }
  return RunInput(arguments, *input, report, terminal);
}

}  // namespace falconer::app
