#pragma once
// RecordedStep: one thing that was done in a session while it was recorded. What was typed is in
// memory only, to find out where it came back; it is in no document.

#include <optional>
#include <string>
#include <vector>

#include "model/action/action.h"
#include "model/contract/contract.h"
#include "model/fingerprint/fingerprint.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

struct RecordedStep {
  // What was done, as a contract would say it. The text that was typed is in it.
  model::ActionSpec spec;
  // What the author of the contract asked for; empty for what people do.
  std::vector<model::WaitCondition> waits;
  std::vector<model::VerificationRule> rules;
  std::optional<model::Fingerprint> element;
  // The field keeps its text from others: the step is made to ask for a secret.
  bool is_secret = false;
  std::string url_before;
  std::string url_after;
  store::DoneBy by = store::DoneBy::kPerson;
};

struct Recording {
  std::string id;
  std::string workflow;
  std::int64_t at_ms = 0;
  std::vector<RecordedStep> steps;
};

// The steps of one recording as a workflow of its own: typing that goes on in one field is one
// step, a click that only moved the focus to a field that was then typed into is none, what was
// typed is a parameter named after its field, and a text of a later element that repeats it refers
// to that parameter; a secret is a reference. Guards are derived. Fails with kInvalidArgument when
// nothing is left.
Result<LearnedWorkflow> WorkflowFrom(const Recording& recording);

// Several recordings of the same workflow, as WorkflowFrom made them, oldest first, become one:
// steps are aligned; where the same step met elements that differ only in what they say, that is a
// parameter; what was not done each time is optional.
Result<LearnedWorkflow> MergeWorkflows(const std::vector<LearnedWorkflow>& recordings);

}  // namespace falconer::predict
