#include "app/demo/demo_report.h"

#include <chrono>
#include <fmt/format.h>

namespace falconer::app {
namespace {

constexpr std::size_t kWidth = 80;

// The words of the line, in lines of at most `width` where words allow it.
std::vector<std::string> Wrapped(std::string_view line, std::size_t width) {
  std::vector<std::string> out;
  while (line.size() > width) {
    std::size_t space = line.rfind(' ', width);
    if (space == std::string_view::npos) space = std::min(line.find(' '), line.size());
    out.emplace_back(line.substr(0, space));
    line.remove_prefix(std::min(space + 1, line.size()));
  }
  out.emplace_back(line);
  return out;
}

}  // namespace

void DemoReport::Say(std::string_view line) {
  if (form_ == OutputForm::kText) terminal_.Print(line);
}

void DemoReport::Warn(std::string_view line) {
  warnings_.emplace_back(line);
  constexpr std::string_view kLabel = "WARNING";
  std::string_view label = kLabel;
  for (const std::string& part : Wrapped(line, kWidth)) {
    Say(terminal_.Paint(Ink::kYellow, fmt::format("  {:<{}}  {}", label, kLabel.size(), part)));
    label = "";
  }
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
