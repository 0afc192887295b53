#include "predict/workflows/selector_merge.h"

#include <algorithm>

#include "base/text.h"
#include "model/action/target.h"
#include "predict/workflows/bind_selector.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

using model::Engine;
using model::SelectorStep;
using model::TextMatch;
using model::TextMode;

// The text of a step that says what an element says; null for other steps.
TextMatch* SaidBy(SelectorStep& step) {
  switch (step.engine) {
    case Engine::kRole:
      return step.role.name ? &*step.role.name : nullptr;
    case Engine::kText:
    case Engine::kLabel:
    case Engine::kPlaceholder:
    case Engine::kAlt:
    case Engine::kTitle:
    case Engine::kHasText:
      return &step.body;
    default:
      return nullptr;
  }
}

// Every number of it as any number.
std::string AnyNumbers(std::string_view text) {
  std::string out = "^";
  for (const TemplatePart& part : TemplateOf(text)) {
    if (part.kind == TemplatePart::Kind::kParameter) {
      out += "{" + part.text + "}";
      continue;
    }
    std::string_view rest = part.text;
    while (!rest.empty()) {
      const bool is_number = IsDigit(rest[0]);
      const auto* const end =
          std::ranges::find_if(rest, [&](char c) { return IsDigit(c) != is_number; });
      const auto size = static_cast<std::size_t>(end - rest.begin());
      out += is_number ? "\\d+" : TemplateLiteral(RegexLiteral(rest.substr(0, size)));
      rest.remove_prefix(size);
    }
  }
  return out + "$";
}

// Whether a pattern that stands for texts with numbers also stands for this one.
bool StandsFor(const TextMatch& pattern, const TextMatch& text) {
  return pattern.mode == TextMode::kRegex && text.mode == TextMode::kExact &&
         !HasParameter(pattern.text) && pattern.text == AnyNumbers(text.text);
}

bool MergeMatch(TextMatch& left, const TextMatch& right, const WorkflowDifferences& differences) {
  if (left == right || StandsFor(left, right)) return true;
  const bool are_texts = left.mode != TextMode::kRegex && right.mode != TextMode::kRegex;
  if (!are_texts || left.flags != right.flags) return false;
  if (DifferInNumbers(left.text, right.text) && left.mode == right.mode &&
      left.mode == TextMode::kExact) {
    left = {.text = AnyNumbers(left.text), .mode = TextMode::kRegex};
    return true;
  }
  const auto known = differences.Same(left.text, right.text);
  if (!known) return false;
  left.text = *known;
  if (right.mode == TextMode::kSubstring) left.mode = TextMode::kSubstring;
  return true;
}

bool MergeStep(SelectorStep& left, SelectorStep right, const WorkflowDifferences& differences) {
  TextMatch* one = SaidBy(left);
  TextMatch* other = SaidBy(right);
  if (one == nullptr || other == nullptr || left.engine != right.engine) return left == right;
  if (!MergeMatch(*one, *other, differences)) return false;
  *other = *one;
  return left == right;
}

// "" when they are not the same.
std::string MergeOne(const std::string& left, const std::string& right,
                     const WorkflowDifferences& differences) {
  if (left == right) return left;
  Result<model::Selector> one = model::ParseSelector(left);
  const Result<model::Selector> other = model::ParseSelector(right);
  if (!one || !other || one->steps.size() != other->steps.size()) return "";
  const model::Selector before = *one;
  for (std::size_t i = 0; i < one->steps.size(); ++i)
    if (!MergeStep(one->steps[i], other->steps[i], differences)) return "";
  std::string merged = *one == before ? left : one->ToString();
  return model::MakeNamedSelector(merged) ? merged : "";
}

std::string RenamedSelector(const std::string& selector, const WorkflowDifferences& differences) {
  // Names of parameters are words in every language of selectors.
  return differences.Renamed(selector);
}

bool IsAuthored(std::string_view selector) {
  const Result<model::Selector> parsed = model::ParseSelector(selector);
  if (!parsed) return false;
  const SelectorStep& last = parsed->steps.back();
  if (last.engine == Engine::kTestId || last.engine == Engine::kId) return true;
  const std::string& css = last.body.text;
  return last.engine == Engine::kCss && css.find_first_of("#[") != css.npos &&
         css.find_first_of(">:") == css.npos;
}

}  // namespace

std::vector<std::string> MergeSelectors(const std::vector<std::string>& left,
                                        const std::vector<std::string>& right,
                                        const WorkflowDifferences& differences) {
  std::vector<std::string> merged;
  for (const std::string& selector : left) {
    std::string one = differences.left().MoreSelector(selector);
    if (one.empty()) one = selector;
    for (const std::string& candidate : right) {
      std::string other = RenamedSelector(candidate, differences);
      if (std::string more = differences.right().MoreSelector(other); !more.empty()) other = more;
      std::string both = selector == candidate ? selector : MergeOne(one, other, differences);
      if (both.empty() || std::ranges::find(merged, both) != merged.end()) continue;
      merged.push_back(std::move(both));
      break;
    }
  }
  return merged;
}

bool ShareAuthoredSelector(const std::vector<std::string>& left,
                           const std::vector<std::string>& right) {
  return std::ranges::any_of(left, [&](const std::string& selector) {
    return std::ranges::find(right, selector) != right.end() && IsAuthored(selector);
  });
}

}  // namespace falconer::predict
