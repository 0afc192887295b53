#include "app/predict/workflow_view.h"

#include <fmt/format.h>
#include <map>
#include <utility>

#include "api/tools/predict_words.h"
#include "model/plain_text.h"

namespace falconer::app {
namespace {

const json::array& RowsAt(const json::object& object, std::string_view key) {
  static const json::array none;
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_array() ? value->get_array() : none;
}

std::int64_t CountAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_number() ? value->to_number<std::int64_t>() : 0;
}

// How sure each step is, by its id.
std::map<std::string, double> ShareOfSteps(const json::object& confidence) {
  std::map<std::string, double> shares;
  for (const json::value& step : RowsAt(confidence, "steps")) {
    const json::object& row = step.as_object();
    const json::value* share = row.if_contains("confidence");
    if (share != nullptr && share->is_number())
      shares[TextAt(row, "id")] = share->to_number<double>();
  }
  return shares;
}

std::string ParameterLine(const json::object& parameter) {
  std::string line = fmt::format("  {:<20} {}", TextAt(parameter, "name"),
                                 model::PlainLine(TextAt(parameter, "about")));
  if (parameter.contains("default"))
    line += fmt::format(" (or {})", model::PlainLine(TextAt(parameter, "default")));
  return line;
}

std::string StepLine(std::size_t number, const json::object& step,
                     const std::map<std::string, double>& shares, std::int64_t recordings) {
  const auto share = shares.find(TextAt(step, "id"));
  const std::string sure =
      share == shares.end() ? "" : fmt::format("{:3.0f} %", share->second * 100);
  std::string line =
      fmt::format("{:>3}  {:>5}  {}", number, sure, model::PlainLine(TextAt(step, "intent")));
  if (CountAt(step, "recordings") < recordings)
    line += fmt::format(" (in {} of {})", CountAt(step, "recordings"), recordings);
  if (!RowsAt(step, "healed").empty()) line += " (healed)";
  return line;
}

Ink InkOfOutcome(std::string_view outcome) {
  if (outcome == "completed") return Ink::kGreen;
  return outcome == "asks" ? Ink::kYellow : Ink::kRed;
}

}  // namespace

std::string WorkflowListLine(const json::object& line) {
  std::string needs;
  for (const json::value& name : RowsAt(line, "parameters"))
    needs += (needs.empty() ? "  needs " : ", ") + std::string(name.as_string());
  return fmt::format("{:<24} v{:<3} {} steps, {} recordings{}", TextAt(line, "name"),
                     CountAt(line, "version"), CountAt(line, "steps"), CountAt(line, "recordings"),
                     needs);
}

void PrintWorkflow(Terminal& terminal, const json::object& document,
                   const json::object& confidence) {
  const std::int64_t recordings = CountAt(document, "recordings");
  const std::string about = model::PlainLine(TextAt(document, "about"));
  terminal.Print(fmt::format(
      "{} v{}, of {} recordings{}", terminal.Paint(Ink::kBold, TextAt(document, "name")),
      CountAt(document, "version"), recordings, about.empty() ? "" : ": " + about));
  if (!RowsAt(document, "parameters").empty()) terminal.Print("parameters");
  for (const json::value& parameter : RowsAt(document, "parameters"))
    terminal.Print(ParameterLine(parameter.as_object()));
  terminal.Print("steps");
  const auto shares = ShareOfSteps(confidence);
  std::size_t number = 0;
  for (const json::value& step : RowsAt(document, "steps"))
    terminal.Print(StepLine(++number, step.as_object(), shares, recordings));
}

void PrintRunStep(Terminal& terminal, const json::object& step) {
  terminal.Print("  " + model::PlainLine(api::RunStepLine(step)));
}

void PrintRunEnd(Terminal& terminal, const json::object& result) {
  const std::string outcome = TextAt(result, "outcome");
  const std::string said = api::RunEndLine(result);
  terminal.Print(terminal.Paint(InkOfOutcome(outcome), model::PlainText(said)));
}

}  // namespace falconer::app
