#include "predict/workflows/kind_of_thing.h"

#include <algorithm>
#include <vector>

#include "predict/workflows/guard_merge.h"
#include "predict/workflows/step_words.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

constexpr std::string_view kRolesOfThings[] = {"link", "option",   "menuitem", "tab",
                                               "row",  "treeitem", "radio",    "gridcell",
                                               "cell", "listitem", "checkbox", "menuitemradio"};
// Paths are compared as addresses of one host.
constexpr std::string_view kAnyHost = "https://any";
constexpr std::size_t kShortestPlural = 4;

std::string AnyAddress(const std::string& path) {
  return path.empty() ? "" : std::string(kAnyHost) + path;
}

// The words in quotes: `region "Coffees"`.
std::string TitleOf(std::string_view landmark) {
  const std::size_t begin = landmark.find('"');
  return begin == landmark.npos ? "" : std::string(landmark.substr(begin));
}

}  // namespace

bool IsNamedAfterThing(const model::Fingerprint& element) {
  return std::ranges::find(kRolesOfThings, element.role) != std::end(kRolesOfThings);
}

std::string HrefOf(const model::Fingerprint& element) {
  const auto found = element.attributes.find(std::string(kHrefAttribute));
  return found == element.attributes.end() ? "" : found->second;
}

std::optional<std::string> CommonHref(const std::string& left, const std::string& right) {
  const auto kind = SameKindOfAddress(AnyAddress(left), AnyAddress(right));
  if (!kind) return std::nullopt;
  return kind->common.substr(kAnyHost.size());
}

std::string KindWords(const KindOfAddress& address) {
  std::string words = ParameterWords(address.kind);
  if (words.size() >= kShortestPlural && words.ends_with('s') && !words.ends_with("ss"))
    words.pop_back();
  return words;
}

std::string KindOfThing(const WorkflowStep& left, const WorkflowStep& right) {
  std::vector<std::optional<KindOfAddress>> kinds;
  if (left.element && right.element) {
    kinds.push_back(
        SameKindOfAddress(AnyAddress(HrefOf(*left.element)), AnyAddress(HrefOf(*right.element))));
  }
  kinds.push_back(SameKindOfAddress(LeadsToOf(left.contract), LeadsToOf(right.contract)));
  for (const auto& kind : kinds) {
    if (!kind) continue;
    if (std::string words = KindWords(*kind); !words.empty()) return words;
  }
  if (!left.element || !right.element) return "value";
  const std::string title = TitleOf(left.element->landmark);
  if (!HasParameter(title) && left.element->landmark == right.element->landmark) {
    if (std::string words = ParameterWords(title); !words.empty()) return words;
  }
  return left.element->item.empty() ? "choice" : "item";
}

}  // namespace falconer::predict
