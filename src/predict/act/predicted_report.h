#pragma once
// PredictedReport: what a run by prediction did, step by step, and what it came to.

#include <optional>
#include <string>
#include <vector>

#include "base/async/clock.h"
#include "base/ids.h"
#include "predict/act/ranker.h"
#include "predict/act/run_outcome.h"
#include "predict/act/step_contract.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

enum class StepDecision : std::uint8_t {
  kExecuted,
  kWouldExecute,  // in a dry run
  kSkipped,       // left out: its element is not there, and it need not be done
  kAsked,         // left to people
};

inline constexpr EnumName<StepDecision> kStepDecisions[] = {
    {StepDecision::kExecuted, "executed"},
    {StepDecision::kWouldExecute, "would_execute"},
    {StepDecision::kSkipped, "skipped"},
    {StepDecision::kAsked, "asked"},
};

struct StepReport {
  std::string step;  // its id; "" for what is of no workflow
  std::string intent;
  double confidence = 0;
  std::string source;
  std::string reason;
  StepDecision decision = StepDecision::kExecuted;
  ChosenBy by = ChosenBy::kPrediction;
  ActionId action;
  TurnId turn;
  Duration took{0};
  std::optional<HealedSelector> healed = std::nullopt;
  std::optional<Error> error = std::nullopt;

  json::object ToJson() const;
};

// What a person is asked, and what he may choose from.
struct RunQuestion {
  std::string text;
  std::string why;  // a stable word, with numbers
  json::array candidates;

  json::object ToJson() const;
};

// {"role","name","item"?,"ref","score"}: names are texts of the page.
json::array CandidatesOf(const Ranking& ranking);

struct PredictedReport {
  RunId run;
  std::string workflow;  // "" for none
  WorkflowId session;
  RunOutcome outcome = RunOutcome::kCompleted;
  std::string reason;
  std::vector<StepReport> steps;
  std::optional<RunQuestion> question = std::nullopt;
  std::optional<Error> error = std::nullopt;
  int iterations = 0;
  Duration took{0};         // without the time that people took
  Duration stood_still{0};  // while people decided
  Duration deciding{0};     // what is next, of all steps

  // {"run","workflow","session","outcome","reason","steps","question"?,"error"?,"numbers"}
  json::object ToJson() const;
};

}  // namespace falconer::predict
