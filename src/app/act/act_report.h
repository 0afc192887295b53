#pragma once
// ActReport: tells people what each contract came to, as it happens, or programs the results, each
// on a line.

#include <string>
#include <string_view>

#include "app/act/act_end.h"
#include "app/act/act_input.h"
#include "base/async/deadline.h"
#include "model/contract/result.h"

namespace falconer::app {

// What a person can do about the failure of a contract.
std::string ActHintFor(const Error& error);

class ActReport {
 public:
  // The terminal must outlive the report.
  ActReport(Terminal& terminal, OutputForm form) : terminal_(terminal), form_(form) {}

  // For people only; nothing of the text can be mistaken for a line of ours.
  void Say(std::string_view line);
  void Began(std::string_view name, std::string_view what);
  // One line with how it ended, then what is wrong or what has changed.
  void Ended(std::string_view name, const model::ActionExecutionResult& result, ActEnd end,
             Duration took);
  // For programs only: an answer as it is, on a line of its own.
  void Answer(std::string_view bytes);
  // For both: what kept a contract from being answered at all.
  void Broke(const Error& error);

 private:
  void SayFailure(const model::ActionFailure& failure);
  void SayChanges(const model::ActionExecutionResult& result);

  Terminal& terminal_;
  OutputForm form_;
};

}  // namespace falconer::app
