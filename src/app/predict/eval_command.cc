#include "app/predict/eval_command.h"

#include <fmt/format.h>
#include <limits>

#include "app/desk/option_values.h"
#include "predict/eval/evaluation.h"

namespace falconer::app {
namespace {

constexpr std::uint64_t kMostFolds = 100;

Result<predict::EvaluationRules> EvalRulesOf(const Arguments& arguments) {
  predict::EvaluationRules rules;
  if (!arguments.seed.empty()) {
    TRY_ASSIGN(rules.seed,
               NumberOf("--seed", arguments.seed, 0, std::numeric_limits<std::int64_t>::max()));
  }
  if (!arguments.folds.empty()) {
    TRY_ASSIGN(rules.parts, NumberOf("--folds", arguments.folds, 2, kMostFolds));
    rules.folds = rules.parts;
  }
  return rules;
}

struct Evaluated {
  predict::SequenceSet set;
  predict::EvaluationRules rules;
  predict::Evaluation evaluation;
};

Result<Evaluated> EvaluateFile(const Arguments& arguments) {
  Evaluated evaluated;
  TRY_ASSIGN(evaluated.rules, EvalRulesOf(arguments));
  TRY_ASSIGN(evaluated.set, predict::LoadSequences(arguments.file));
  TRY_ASSIGN(evaluated.evaluation, predict::Evaluate(evaluated.set, evaluated.rules));
  return evaluated;
}

json::object EvalJson(const Arguments& arguments, const Evaluated& evaluated) {
  json::object answer{{"ok", true},
                      {"file", arguments.file.string()},
                      {"sequences", evaluated.set.sequences.size()},
                      {"steps", evaluated.set.steps},
                      {"symbols", evaluated.set.symbols},
                      {"seed", evaluated.rules.seed},
                      {"parts", evaluated.rules.parts},
                      {"folds", evaluated.rules.folds}};
  for (auto& [key, value] : evaluated.evaluation.ToJson()) answer[key] = value;
  return answer;
}

std::string Percent(double share) {
  return fmt::format("{:.2f} %", share * 100);
}

void PrintLine(Terminal& terminal, std::string_view name, const std::string& model,
               const std::string& baseline) {
  terminal.Print(fmt::format("{:<34}{:>12}{:>14}", name, model, baseline));
}

void PrintThresholds(Terminal& terminal, const predict::Evaluation& evaluation) {
  for (std::size_t at = 0; at < evaluation.model.thresholds.size(); ++at) {
    const predict::AtThreshold& model = evaluation.model.thresholds[at];
    const predict::AtThreshold& baseline = evaluation.baseline.thresholds[at];
    PrintLine(terminal, fmt::format("coverage at {:.2f}", model.threshold), Percent(model.coverage),
              Percent(baseline.coverage));
    PrintLine(terminal, fmt::format("precision at {:.2f}", model.threshold),
              Percent(model.precision), Percent(baseline.precision));
  }
}

void PrintExecuting(Terminal& terminal, const Evaluated& evaluated) {
  const auto& executing = evaluated.evaluation.executing;
  const std::string aim = Percent(evaluated.rules.precision);
  if (!executing) {
    terminal.Print(fmt::format(
        "executing: at no threshold {} of what was held out of training came true", aim));
    return;
  }
  terminal.Print(fmt::format(
      "executing: from {:.3f} on, found in training for {}: coverage {}, precision {} ({} steps)",
      executing->threshold, aim, Percent(executing->coverage), Percent(executing->precision),
      executing->count));
}

void PrintEval(Terminal& terminal, const Evaluated& evaluated) {
  const predict::Evaluation& evaluation = evaluated.evaluation;
  terminal.Print(
      fmt::format("{} sequences of {} steps, {} symbols; held out {} sequences of {} "
                  "steps, seed {}",
                  evaluated.set.sequences.size(), evaluated.set.steps, evaluated.set.symbols,
                  evaluation.held_out, evaluation.model.steps, evaluated.rules.seed));
  terminal.Print();
  PrintLine(terminal, "", "model", "second order");
  PrintLine(terminal, "right (top 1)", Percent(evaluation.model.top1),
            Percent(evaluation.baseline.top1));
  PrintLine(terminal, "right among three (top 3)", Percent(evaluation.model.top3),
            Percent(evaluation.baseline.top3));
  PrintLine(terminal, "calibration error, ten bins",
            fmt::format("{:.4f}", evaluation.model.calibration_error),
            fmt::format("{:.4f}", evaluation.baseline.calibration_error));
  PrintLine(terminal, "calibration error, adaptive bins",
            fmt::format("{:.4f}", evaluation.model.adaptive_error),
            fmt::format("{:.4f}", evaluation.baseline.adaptive_error));
  PrintThresholds(terminal, evaluation);
  terminal.Print();
  PrintExecuting(terminal, evaluated);
  terminal.Print(
      fmt::format("{} transitions; {:.2f} us to observe a step, {:.2f} us to predict one",
                  evaluation.transitions, evaluation.observe_us, evaluation.predict_us));
}

}  // namespace

int RunPredictEval(const Arguments& arguments, Terminal& terminal) {
  const auto evaluated = EvaluateFile(arguments);
  if (!evaluated) return Refuse(arguments, terminal, evaluated.error());
  if (arguments.wants_json) {
    PrintJson(terminal, EvalJson(arguments, *evaluated));
  } else {
    PrintEval(terminal, *evaluated);
  }
  return kExitOk;
}

}  // namespace falconer::app
