#include "app/agent/run_command.h"

#include <fmt/format.h>
#include <utility>

#include "agent/report/run_report.h"
#include "api/tools/run_pictures.h"
#include "app/agent/agent_host.h"
#include "app/agent/run_view.h"
#include "app/approvals/terminal_channel.h"
#include "app/mcp/lazy_host.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/approvals/approval_desk.h"

namespace falconer::app {
namespace {

constexpr int kExitRefused = 3;

Error WrongWord(std::string_view option, std::string_view why) {
  return {ErrorCode::kInvalidArgument, fmt::format("{}: {}", option, why)};
}

Error AgentIsOff() {
  return {ErrorCode::kToolUnavailable,
          "the built-in agent is off; turn it on with agent.internal.enabled=true",
          {{kSettingDetail, "agent.internal.enabled"}}};
}

// A word that is a whole number, as the wish wants it.
Result<void> PutWhole(std::string_view option, const std::string& word, std::string_view key,
                      json::object& wish) {
  if (word.empty()) return {};
  const auto number = ParseWhole(word);
  if (!number) return Fail(WrongWord(option, "must be a whole number"));
  wish[key] = *number;
  return {};
}

void PutList(const std::vector<std::string>& words, std::string_view key, json::object& wish) {
  if (!words.empty()) wish[key] = json::array(words.begin(), words.end());
}

Result<json::object> WishFrom(const Arguments& arguments) {
  json::object wish{{"task", arguments.task}};
  TRY(PutWhole("--max-steps", arguments.max_steps, "max_steps", wish));
  TRY(PutWhole("--max-tokens", arguments.max_tokens, "max_tokens", wish));
  if (!arguments.max_time.empty()) {
    const auto time = ParseDuration(arguments.max_time);
    if (!time) return Fail(WrongWord("--max-time", "must be a time such as 60s"));
    wish["max_wall_time_ms"] = time->count();
  }
  if (!arguments.max_cost.empty()) {
    const auto micros = agent::ParseCostMicros(arguments.max_cost);
    if (!micros) return Fail(WrongWord("--max-cost", "must be an amount such as 0.50"));
    wish["max_cost"] = static_cast<double>(*micros) / 1'000'000;
  }
  PutList(arguments.allowed_tools, "allowed_tools", wish);
  PutList(arguments.domains, "allowed_domains", wish);
  if (arguments.allows_ghost) wish["allow_ghost"] = true;
  if (!arguments.session.empty()) wish["session"] = arguments.session;
  return wish;
}

// One run from the command line.
class RunErrand {
 public:
  // All must outlive the errand; `people` the host too.
  RunErrand(Program& program, Terminal& terminal, const Arguments& arguments,
            TerminalChannel& people, LazyHost& host, agent::RunDesk& desk, json::object wish)
      : program_(program),
        terminal_(terminal),
        arguments_(arguments),
        people_(people),
        host_(host),
        desk_(desk),
        wish_(std::move(wish)),
        view_(terminal) {}

  // What is opened is closed in every case.
  Task<Result<void>> Go() {
    auto done = co_await Carry();
    co_await desk_.Stop({ErrorCode::kCancelled, "the program ends"});
    co_await host_.Stop(program_.NewCleanup());
    co_return done;
  }
  const json::object& result() const { return result_; }

 private:
  bool is_text() const { return arguments_.form() == OutputForm::kText; }

  Task<Result<void>> Carry() {
    CO_TRY_ASSIGN(const api::ToolRooms rooms, host_.Rooms());
    rooms.runtime->parts().control.approvals.AddChannel(people_);
    CO_TRY(co_await host_.LoadNodes(program_.NewCall()));
    CO_TRY_ASSIGN(const RunId run, co_await Begin(rooms));
    if (is_text()) view_.Began(run.value());
    CO_TRY(co_await Follow(run.value()));
    CO_TRY_ASSIGN(result_, co_await desk_.Await(NewQuietCall(), run.value()));
    CO_TRY(co_await Report(rooms, run));
    if (is_text()) view_.Ended(result_);
    if (!is_text()) PrintJson(terminal_, result_);
    SayHowToGoOn(run.value());
    co_return Result<void>();
  }

  Task<Result<RunId>> Begin(api::ToolRooms rooms) {
    if (arguments_.run.empty()) co_return desk_.Begin(rooms.caller, wish_);
    co_return co_await desk_.BeginAgain(program_.NewCall(), rooms.caller, RunId(arguments_.run));
  }

  // Tells what happens; a signal cancels the run, and its end is told too.
  Task<Result<void>> Follow(std::string run) {
    const Subscription off = program_.NewCall().cancel().OnCancel([this, run] {
      [[maybe_unused]] const auto told = desk_.Cancel(run, "interrupted from the terminal");
    });
    std::uint64_t seen = 0;
    for (;;) {
      CO_TRY_ASSIGN(const auto news, co_await desk_.After(NewQuietCall(), run, seen));
      if (news.empty()) co_return Result<void>();
      for (const auto& entry : news) {
        seen = entry.id;
        if (is_text()) view_.Tell(entry.event);
      }
    }
  }

  Task<Result<void>> Report(api::ToolRooms rooms, RunId run) {
    if (arguments_.out.empty()) co_return Result<void>();
    CO_TRY_ASSIGN(const auto records, co_await desk_.Records(NewQuietCall(), rooms.caller, run));
    std::string text = agent::RunReportJsonl(records);
    if (arguments_.out.extension() != ".jsonl") {
      CO_TRY_ASSIGN(const agent::RunPast past, agent::ReadRunPast(records));
      const browser::ArtifactOwner owner{.tenant = rooms.caller.tenant,
                                         .workflow = WorkflowId(past.config.session)};
      text =
          agent::RunReportHtml(run, past, api::PicturesOf(rooms.runtime->parts().artifacts, owner));
    }
    co_return WriteFileAtomic(arguments_.out, text);
  }

  void SayHowToGoOn(const std::string& run) {
    const auto reason = ValueIn(agent::kStopReasons, TextAt(result_, "stop_reason"));
    if (is_text() && reason && agent::MayBeResumed(*reason))
      terminal_.Complain("go on with: falconer run --resume " + run);
  }

  // What a signal does not break off: the run ends by itself, and what it came to is told.
  CallContext NewQuietCall() { return CallContext(program_.executor(), program_.clock()); }

  Program& program_;
  Terminal& terminal_;
  const Arguments& arguments_;
  TerminalChannel& people_;
  LazyHost& host_;
  agent::RunDesk& desk_;
  json::object wish_;
  RunView view_;
  json::object result_;
};

Result<json::object> RunTaskIn(Program& program, Terminal& terminal, const Arguments& arguments,
                               json::object wish) {
  TerminalChannel people(terminal);
  ClientApprovals approvals(program.settings());
  LazyHost host(program, approvals);
  TRY_ASSIGN(const agent::RunConfig most, agent::RunConfigFrom(program.settings()));
  TRY_ASSIGN(const auto maker, AgentHost::Open(program, host));
  if (!maker) return Fail(AgentIsOff());
  agent::RunDesk desk(program.executor(), program.clock(), maker.get(), most);
  RunErrand errand(program, terminal, arguments, people, host, desk, std::move(wish));
  TRY(program.Run(errand.Go()));
  return errand.result();
}

int CodeFor(const json::object& result, const Program& program) {
  if (IsTrueAt(result, "success")) return kExitOk;
  if (program.FailureCode() != kExitFailed) return program.FailureCode();
  return TextAt(result, "stop_reason") == "policy_denied" ? kExitRefused : kExitFailed;
}

// That the agent is off is a setting too.
bool IsUsage(ErrorCode code) {
  return code == ErrorCode::kInvalidSetting || code == ErrorCode::kInvalidArgument ||
         code == ErrorCode::kToolUnavailable;
}

}  // namespace

int RunAgent(const Arguments& arguments, Terminal& terminal) {
  auto wish = WishFrom(arguments);
  if (wish && arguments.task.empty() == arguments.run.empty())
    wish = Fail(WrongWord("TASK", "give either a task, or --resume RUN"));
  if (!wish) {
    PrintError(terminal, arguments.form(), wish.error());
    return kExitUsage;
  }
  const auto program = Program::Create(arguments, LogReader::kPerson);
  if (!program) {
    PrintError(terminal, arguments.form(), program.error());
    return kExitUsage;
  }
  const auto result = RunTaskIn(**program, terminal, arguments, *std::move(wish));
  if (result) return CodeFor(*result, **program);
  PrintError(terminal, arguments.form(), result.error());
  return IsUsage(result.error().code()) ? kExitUsage : (*program)->FailureCode();
}

}  // namespace falconer::app
