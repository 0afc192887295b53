#pragma once
// The keyboard and everything in forms.

#include <string>
#include <vector>

#include "api/tools/element_facts.h"
#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> FormTools();

// One field of a form, as a model gives it.
struct FieldArgument {
  TargetArgument target;
  std::string value;
  // Instead of a value: {"secret":"NAME","field":...}.
  std::optional<json::object> secret = std::nullopt;
  // What the caller says it is; the element itself decides where that is known.
  std::optional<FieldKind> kind;
};

// What one field takes: an action, and what is then no news.
struct FieldStep {
  json::object spec;
  Asked asked;
};

// Fails with kInvalidArgument for a value that the kind of field cannot have.
Result<FieldStep> StepFor(const FieldArgument& field, const ElementFacts& facts);

// The options that are meant, by label where one is known, else by value.
json::array SelectValues(const std::vector<std::string>& wanted, const ElementFacts& facts);

}  // namespace falconer::api
