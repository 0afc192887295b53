#pragma once
// StepWriter: one recording's actions as the steps of a workflow. What was typed becomes parameters
// as it comes by.

#include <string>
#include <vector>

#include "predict/workflows/recorded_step.h"
#include "predict/workflows/recorded_texts.h"
#include "predict/workflows/step_words.h"

namespace falconer::predict {

class StepWriter {
 public:
  // The page where the recording began, when nobody opened it.
  void Begin(const RecordedStep& first);
  void Write(const RecordedStep& done);

  // Steps and parameters; what was typed later is in none of their texts, either.
  LearnedWorkflow Take() &&;

 private:
  std::string NewParameter(const std::string& name, std::string_view typed);
  json::object SpecOf(const RecordedStep& done);
  void PutTyped(json::object& spec, const RecordedStep& done);
  void PutSecret(json::object& spec, const RecordedStep& done);
  void PutChoices(json::object& spec, const RecordedStep& done);
  void PutFiles(json::object& spec, const RecordedStep& done);
  void PutAddress(json::object& spec, const RecordedStep& done);
  void PutTargets(json::object& spec, const RecordedStep& done) const;
  void PutOwnGuards(WorkflowStep& step, const RecordedStep& done) const;
  void Add(WorkflowStep step);

  RecordedTexts texts_;
  NameBook parameter_names_{'_'};
  NameBook ids_{'-'};
  LearnedWorkflow out_;
};

}  // namespace falconer::predict
