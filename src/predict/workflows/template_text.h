#pragma once
// Texts with {name} where the value of a parameter goes. "{{" is a brace; a brace that begins no
// parameter's name is one, too. Values are put in once: braces in them mean nothing.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace falconer::predict {

// One part of such a text: what stands there, or the name of a parameter.
struct TemplatePart {
  enum class Kind : std::uint8_t { kLiteral, kParameter };

  Kind kind = Kind::kLiteral;
  std::string text;
  bool operator==(const TemplatePart&) const = default;
};

using TemplateParts = std::vector<TemplatePart>;

// Never fails: every text is a template. Literals are not empty, and never two in a row.
TemplateParts TemplateOf(std::string_view text);
// The text that reads as these parts.
std::string TemplateText(const TemplateParts& parts);
// The text that reads as this literal alone.
std::string TemplateLiteral(std::string_view literal);

bool HasParameter(std::string_view text);

// What stands for a parameter; fails as that does.
using ValueOf = std::function<Result<std::string>(const std::string& name)>;
Result<std::string> Expand(const TemplateParts& parts, const ValueOf& value_of);

// kParameterPattern and kWorkflowNamePattern of learned_workflow.h.
bool IsParameterName(std::string_view name);
bool IsWorkflowName(std::string_view name);

}  // namespace falconer::predict
