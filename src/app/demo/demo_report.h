#pragma once
// DemoReport: tells each step of the demo as it happens, with its time, and keeps it for --json.

#include <string>
#include <string_view>
#include <vector>

#include "app/report.h"
#include "app/terminal.h"
#include "base/async/clock.h"
#include "base/json/json.h"

namespace falconer::app {

class DemoReport {
 public:
  // Both must outlive the report. With kJson nothing is printed before Finish().
  DemoReport(Terminal& terminal, OutputForm form, Clock& clock)
      : terminal_(terminal), form_(form), clock_(clock) {}

  // A heading or remark between steps; not part of the JSON.
  void Say(std::string_view line = "");
  // Something to be seen: a warning in front of everything else.
  void Warn(std::string_view line);

  // The time of the next step counts from here.
  void BeginStep() { started_ = clock_.Now(); }
  void EndStep(std::string_view verb, std::string_view what);

  // Facts of the JSON answer.
  void Note(std::string_view key, json::value value) { facts_[key] = std::move(value); }
  // Prints the JSON answer, if that is the form.
  void Finish();

  Terminal& terminal() { return terminal_; }
  OutputForm form() const { return form_; }

 private:
  Terminal& terminal_;
  OutputForm form_;
  Clock& clock_;
  TimePoint started_{};
  json::object facts_;
  json::array steps_;
  json::array warnings_;
};

}  // namespace falconer::app
