#include "app/demo_report.h"

#include <chrono>

#include <fmt/format.h>

namespace falconer::app {

void DemoReport::Say(std::string_view line) {
  if (form_ == OutputForm::kText) terminal_.Print(line);
}

void DemoReport::Warn(std::string_view line) {
  warnings_.emplace_back(line);
  Say(terminal_.Paint(Ink::kYellow, fmt::format("  WARNING  {}", line)));
}

void DemoReport::EndStep(std::string_view verb, std::string_view what) {
  const std::chrono::duration<double, std::milli> took = clock_.Now() - started_;
  steps_.push_back({{"step", verb}, {"what", what}, {"ms", took.count()}});
  Say(fmt::format("  {} {} {}", terminal_.Paint(Ink::kGreen, fmt::format("{:>2}", steps_.size())),
                  fmt::format("{:<10} {:<62}", verb, what),
                  terminal_.Paint(Ink::kDim, fmt::format("{:>7.1f} ms", took.count()))));
}

void DemoReport::Finish() {
  if (form_ == OutputForm::kText) return;
  json::object answer{{"ok", true}};
  for (auto& [key, value] : facts_) answer[key] = value;
  answer["warnings"] = warnings_;
  answer["steps"] = steps_;
  PrintJson(terminal_, answer);
}

}  // namespace falconer::app
