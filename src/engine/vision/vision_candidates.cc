#include "engine/vision/vision_candidates.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace falconer::engine {
namespace {

using WordSet = std::set<std::string>;

WordSet WordSetOf(std::string_view text) {
  WordSet words;
  std::string word;
  for (const char c : text) {
    if (IsLetter(c) || IsDigit(c) || static_cast<unsigned char>(c) >= 0x80) {
      word += LowerOf(c);
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.insert(std::move(word));
  return words;
}

std::size_t Shared(const model::ElementState& element, const WordSet& wanted) {
  const WordSet own = WordSetOf(element.role + ' ' + element.name + ' ' + element.placeholder +
                                ' ' + element.description + ' ' + element.value_hint);
  return static_cast<std::size_t>(
      std::ranges::count_if(own, [&](const std::string& word) { return wanted.contains(word); }));
}

bool MayBeMeant(const model::ElementState& element) {
  return element.fid.empty() && element.visible && element.in_viewport && element.enabled &&
         element.bbox[2] > 0 && element.bbox[3] > 0;
}

void AddNames(const std::vector<model::SelectorStep>& steps, std::vector<std::string>& names) {
  using enum model::Engine;
  constexpr model::Engine kSayWhatIsSeen[] = {kText, kLabel, kPlaceholder, kHasText};
  for (const model::SelectorStep& step : steps) {
    const bool is_text = std::ranges::find(kSayWhatIsSeen, step.engine) != std::end(kSayWhatIsSeen);
    if (is_text && step.body.mode != model::TextMode::kRegex) names.push_back(step.body.text);
    if (step.engine == kRole && step.role.name && step.role.name->mode != model::TextMode::kRegex)
      names.push_back(step.role.name->text);
  }
}

VisionCandidate CandidateOf(const model::ElementState& element,
                            const model::ViewportState& viewport) {
  const auto& [x, y, width, height] = element.bbox;
  return {.ref = element.ref,
          .role = element.role,
          .name = element.name,
          .box = {x * viewport.width, y * viewport.height, width * viewport.width,
                  height * viewport.height}};
}

}  // namespace

std::string WantedOf(const model::ActionContract& contract) {
  std::string wanted = contract.intent;
  if (!contract.action_spec.target) return wanted;
  for (const model::NamedSelector& selector : contract.action_spec.target->Selectors())
    wanted += (wanted.empty() ? "" : "; ") + selector.text;
  return wanted;
}

std::vector<std::string> NamesOf(const model::ActionContract& contract) {
  std::vector<std::string> names;
  if (!contract.action_spec.target) return names;
  for (const model::NamedSelector& selector : contract.action_spec.target->Selectors())
    AddNames(selector.parsed.steps, names);
  return names;
}

std::vector<VisionCandidate> CandidatesIn(const model::StructuredState& state,
                                          std::string_view wanted) {
  const WordSet words = WordSetOf(wanted);
  struct Ranked {
    std::size_t shared;
    const model::ElementState* element;
  };
  std::vector<Ranked> elements;
  for (const model::ElementState& element : state.elements)
    if (MayBeMeant(element)) elements.push_back({Shared(element, words), &element});
  // Equal ones stay in the order of the page.
  std::ranges::sort(elements, [](const Ranked& a, const Ranked& b) {
    return a.shared != b.shared ? a.shared > b.shared : a.element < b.element;
  });
  std::vector<VisionCandidate> candidates;
  for (const Ranked& one : elements) {
    if (candidates.size() == kMostVisionCandidates) break;
    candidates.push_back(CandidateOf(*one.element, state.viewport));
    candidates.back().number = static_cast<int>(candidates.size());
  }
  return candidates;
}

}  // namespace falconer::engine
