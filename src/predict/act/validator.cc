#include "predict/act/validator.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

// "full_name" in "Dear {full_name},".
std::string ParameterIn(std::string_view text) {
  for (TemplatePart& part : TemplateOf(text)) {
    if (part.kind == TemplatePart::Kind::kParameter) return std::move(part.text);
  }
  return "";
}

std::string FirstParameter(const json::value& value) {
  if (value.is_string()) return ParameterIn(value.get_string());
  if (value.is_array()) {
    for (const json::value& one : value.get_array()) {
      if (std::string name = FirstParameter(one); !name.empty()) return name;
    }
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.get_object()) {
      if (std::string name = FirstParameter(member); !name.empty()) return name;
    }
  }
  return "";
}

// What a value says in braces is its own business where all parameters were given.
Validation CheckComplete(const NextCandidate& candidate) {
  const std::string action = ActionOf(candidate.step);
  if (!model::ActionTypeNamed(action)) return {Validity::kUnknownAction, action};
  if (candidate.freedom == Freedom::kFree) {
    std::string open = OpenParameterOf(candidate.step);
    if (!open.empty()) return {Validity::kIncomplete, std::move(open)};
  }
  const StepPlace nowhere{.session = WorkflowId("any"), .run = RunId("any")};
  const auto contract = ContractOf(candidate.step, nowhere);
  if (!contract) return {Validity::kIncomplete, contract.error().message()};
  return {};
}

Validation CheckFound(const engine::ProbeFinding& finding) {
  if (finding.matches == 0) return {Validity::kMissing, ""};
  if (finding.matches > 1) return {Validity::kAmbiguous, std::to_string(finding.matches)};
  if (!finding.is_usable) return {Validity::kNotUsable, finding.selector};
  return {};
}

bool IsTooMuch(const NextCandidate& candidate, model::Capability need) {
  if (candidate.freedom == Freedom::kFree) return !kDoneFreely.Contains(need);
  return kGrave.Contains(need) && !candidate.known.Contains(need);
}

Validation CheckSafe(const NextCandidate& candidate) {
  std::vector<std::string_view> more;
  for (const auto& row : model::kCapabilities) {
    if (candidate.needs.Contains(row.value) && IsTooMuch(candidate, row.value))
      more.push_back(row.name);
  }
  if (more.empty()) return {};
  return {Validity::kUnsafe, fmt::format("{}", fmt::join(more, ", "))};
}

}  // namespace

std::string Validation::reason() const {
  const std::string_view word = NameIn(kValidities, validity);
  return about.empty() ? std::string(word) : fmt::format("{}: {}", word, about);
}

std::string OpenParameterOf(const WorkflowStep& step) {
  const json::value* spec = step.contract.if_contains("action_spec");
  return spec == nullptr ? "" : FirstParameter(*spec);
}

Validation Validate(const NextCandidate& candidate) {
  if (Validation complete = CheckComplete(candidate); !complete.is_valid()) return complete;
  if (Validation safe = CheckSafe(candidate); !safe.is_valid()) return safe;
  if (candidate.finding == nullptr) return {};
  return CheckFound(*candidate.finding);
}

}  // namespace falconer::predict
