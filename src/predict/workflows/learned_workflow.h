#pragma once
// LearnedWorkflow: a named sequence of steps that was learnt from recordings, with parameters for
// what was different each time. Its document is JSON in the store and YAML for people. Holds
// nothing that was typed: what was typed is a parameter, what is secret a reference.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json_reader.h"
#include "model/fingerprint/fingerprint.h"
#include "store/prediction_store.h"

namespace falconer::predict {

inline constexpr std::size_t kMaxWorkflowSteps = 200;
inline constexpr std::size_t kMaxWorkflowParameters = 64;
inline constexpr std::size_t kMaxHealedSelectors = 16;  // of a step
// Lower-case words: "product", "postcode_and_town".
inline constexpr std::string_view kParameterPattern = "^[a-z][a-z0-9_]{0,47}$";
inline constexpr std::string_view kWorkflowNamePattern = "^[a-z0-9][a-z0-9._-]{0,63}$";

struct WorkflowParameter {
  std::string name;
  std::string about;                    // where it is used, in the words of the page
  std::optional<std::string> fallback;  // only what a person wrote into the document
  bool operator==(const WorkflowParameter&) const = default;
};

// A selector that took the place of one that found nothing any more.
struct HealedSelector {
  std::string selector;
  std::string instead_of;  // the selector that came first before
  std::string turn;        // where it was verified
  std::int64_t at_ms = 0;
  double score = 0;
  double margin = 0;  // over the next best
  std::string ranker;
  bool operator==(const HealedSelector&) const = default;
};

struct WorkflowStep {
  std::string id;      // unique in the workflow: "add-to-cart"
  std::string intent;  // for people: `click button "Add to cart"`
  // What a contract has, with {name} for parameters in its texts: action_spec, wait_conditions,
  // preconditions, expected_postconditions, verification_rules.
  json::object contract;
  // Of the element it is about, with {name} for parameters; nothing when there is none.
  std::optional<model::Fingerprint> element;
  std::string page;  // pattern of the address where it is done; "" for anywhere
  std::string signature;
  // In how many of the recordings it was; fewer than all: it is left out where its element is not
  // there.
  int recordings = 1;
  store::DoneBy by = store::DoneBy::kPerson;
  std::vector<HealedSelector> healed;
  bool operator==(const WorkflowStep&) const = default;
};

struct LearnedWorkflow {
  std::string name;
  std::int64_t version = 0;
  std::string about;
  int recordings = 0;
  std::vector<WorkflowParameter> parameters;
  std::vector<WorkflowStep> steps;

  // Strict. Fails with kInvalidArgument naming the field: a step's contract must be one, and every
  // {name} in it a parameter.
  static Result<LearnedWorkflow> FromJson(const json::value& value, std::string path = "workflow");
  json::object ToJson() const;
  bool operator==(const LearnedWorkflow&) const = default;
};

using ParameterValues = std::map<std::string, std::string, std::less<>>;

// kInvalidArgument naming the parameter: one that is missing, or that the workflow does not have.
Result<ParameterValues> CompleteValues(const LearnedWorkflow& workflow, ParameterValues given);
// The step with the values put in: selectors, texts and fingerprint. A value never changes what a
// selector means. kInvalidArgument, kInvalidSelector.
Result<WorkflowStep> Bind(const WorkflowStep& step, const ParameterValues& values);

// YAML for people, and back. Comments and order of keys are not kept. kInvalidArgument with the
// line.
std::string WorkflowToYaml(const LearnedWorkflow& workflow);
Result<LearnedWorkflow> WorkflowFromYaml(std::string_view text);

}  // namespace falconer::predict
