#pragma once
// RunDeskWork: how a command runs that opens a desk (what it works with), does one thing there and
// prints what came of it.

#include "app/desk/option_values.h"
#include "app/wiring.h"

namespace falconer::app {

// Prints an answer for people.
using DeskPrint = void (*)(const json::object& answer, Terminal& terminal);

inline Task<Result<void>> KeepDeskAnswer(Task<Result<json::object>> work, json::object* answer) {
  CO_TRY_ASSIGN(*answer, co_await std::move(work));
  co_return Result<void>();
}

// Prints an answer of a command that did what it should.
inline int PrintDeskAnswer(const Arguments& arguments, Terminal& terminal, json::object answer,
                           DeskPrint print) {
  if (!arguments.wants_json) {
    print(answer, terminal);
    return kExitOk;
  }
  json::object out{{"ok", true}};
  for (json::key_value_pair& member : answer) out[member.key()] = std::move(member.value());
  PrintJson(terminal, out);
  return kExitOk;
}

// `work` answers what is printed as JSON, without "ok". kExitOk, kExitUsage for wrong words, else
// what Program says about a failure.
template <typename Desk>
int RunDeskWork(const Arguments& arguments, Terminal& terminal,
                Task<Result<json::object>> (*work)(Desk* desk, const Arguments* arguments),
                DeskPrint print) {
  auto program = Program::Create(arguments, LogReader::kPerson);
  if (!program) return Refuse(arguments, terminal, program.error());
  auto desk = Desk::Open(**program);
  if (!desk) return Refuse(arguments, terminal, desk.error());
  json::object answer;
  const Result<void> done = (*program)->Run(KeepDeskAnswer(work(desk->get(), &arguments), &answer));
  if (done) return PrintDeskAnswer(arguments, terminal, std::move(answer), print);
  const int code = Refuse(arguments, terminal, done.error());
  return code == kExitFailed ? (*program)->FailureCode() : code;
}

// The same for a command that needs no desk; its answer has its "ok" already.
inline int RunPlainWork(const Arguments& arguments, Terminal& terminal,
                        Result<json::object> (*work)(const Arguments& arguments), DeskPrint print) {
  const auto answer = work(arguments);
  if (!answer) return Refuse(arguments, terminal, answer.error());
  if (arguments.wants_json) {
    PrintJson(terminal, *answer);
  } else {
    print(*answer, terminal);
  }
  return kExitOk;
}

}  // namespace falconer::app
