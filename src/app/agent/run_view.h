#pragma once
// RunView: a run as a person at a terminal follows it: one line for each call, what the model says,
// what it costs, and how it ended.

#include <string>

#include "agent/loop/run_journal.h"
#include "app/report.h"
#include "app/terminal.h"

namespace falconer::app {

class RunView {
 public:
  // The terminal must outlive this.
  explicit RunView(Terminal& terminal) : terminal_(terminal) {}

  void Began(const std::string& run);
  void Tell(const agent::RunEvent& event);
  // The result as RunResult::ToJson says it.
  void Ended(const json::object& result);

 private:
  void SayText();
  void OnToolStarted(const json::object& facts);
  void OnToolEnded(const json::object& facts);
  void OnUsage(const json::object& facts);

  Terminal& terminal_;
  std::string text_;  // what the model has said, and was not printed yet
};

// "0.0123", of millionths.
std::string CostText(std::int64_t micros);

}  // namespace falconer::app
