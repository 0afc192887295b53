#include "predict/workflows/step_merge.h"

#include <algorithm>
#include <cmath>

#include "predict/workflows/guard_merge.h"
#include "predict/workflows/kind_of_thing.h"
#include "predict/workflows/selector_merge.h"
#include "predict/workflows/step_check.h"
#include "predict/workflows/step_guards.h"
#include "predict/workflows/step_parameters.h"
#include "predict/workflows/step_targets.h"

namespace falconer::predict {
namespace {

using model::Fingerprint;

json::object& SpecIn(WorkflowStep& step) {
  return step.contract["action_spec"].get_object();
}

// As exact as pages tell it.
constexpr double kPositionSteps = 10'000;

class StepMerger {
 public:
  StepMerger(const WorkflowStep& left, const WorkflowStep& right, WorkflowDifferences& differences)
      : left_(left), right_(right), differences_(differences), out_(left) {}

  WorkflowStep Merge() {
    if (left_.element && right_.element) MergeElements(*left_.element, *right_.element);
    MergeSpecs();
    MergeGuards();
    if (!ArePagesSame()) out_.page = CommonAddress(left_.page, right_.page);
    out_.recordings = left_.recordings + right_.recordings;
    if (right_.by == store::DoneBy::kPerson) out_.by = right_.by;
    MergeHealed();
    if (left_.intent == IntentOf(left_)) out_.intent = IntentOf(out_);
    out_.signature = StepSignature(out_);
    return std::move(out_);
  }

 private:
  bool ArePagesSame() const { return left_.page == right_.page; }

  // What says nothing reliable is left out.
  std::string Common(const std::string& left, const std::string& right) {
    return differences_.Same(left, right).value_or("");
  }

  void MergeElements(const Fingerprint& left, const Fingerprint& right) {
    Fingerprint& out = *out_.element;
    out.name = MergeNames(left, right);
    out.text = Common(left.text, right.text);
    out.label = Common(left.label, right.label);
    out.landmark = Common(left.landmark, right.landmark);
    out.item = Common(left.item, right.item);
    out.before = Common(left.before, right.before);
    MergeAttributes(left, right);
    out.x = Middle(left.x, right.x);
    out.y = Middle(left.y, right.y);
    out.selectors = MergeSelectors(left.selectors, right.selectors, differences_);
  }

  // Of all recordings; things of one kind stand in several places.
  double Middle(double left, double right) const {
    if (left == right || left_.recordings + right_.recordings <= 0) return left;
    const double mean = (left * left_.recordings + right * right_.recordings) /
                        (left_.recordings + right_.recordings);
    return std::round(mean * kPositionSteps) / kPositionSteps;
  }

  std::string MergeNames(const Fingerprint& left, const Fingerprint& right) {
    if (auto known = differences_.Known(left.name, right.name)) return *known;
    // The same element that says something else by now.
    const bool is_same = ShareAuthoredSelector(left.selectors, right.selectors);
    if (is_same || DifferInNumbers(left.name, right.name)) return differences_.Renamed(right.name);
    const bool names_thing = IsNamedAfterThing(left);
    const auto merged = differences_.KnownOrNew(
        left.name, right.name,
        {.name = KindOfThing(left_, right_), .about = ElementAbout(left), .is_whole = names_thing});
    return merged.value_or(differences_.Renamed(right.name));
  }

  static std::string ElementAbout(const Fingerprint& element) {
    const std::string where = element.landmark.empty() ? "" : " in " + element.landmark;
    return (element.role.empty() ? element.tag : element.role) + where;
  }

  void MergeAttributes(const Fingerprint& left, const Fingerprint& right) {
    auto& out = out_.element->attributes;
    out.clear();
    for (const auto& [name, text] : left.attributes) {
      const auto found = right.attributes.find(name);
      if (found == right.attributes.end()) continue;
      auto common = differences_.Same(text, found->second);
      // Where it leads is another thing of the same kind.
      if (!common && name == kHrefAttribute) common = CommonHref(text, found->second);
      if (common) out.emplace(name, *common);
    }
  }

  void MergeSpecs() {
    json::object& out = SpecIn(out_);
    json::object right = right_.contract.at("action_spec").as_object();
    MergeTargets(out, right);
    for (auto& member : out) {
      const json::value* other = right.if_contains(member.key());
      const bool is_target = member.key() == "selector" || member.key() == "selector_candidates";
      if (other != nullptr && !is_target) MergeValue(member.value(), *other, member.key());
    }
  }

  void MergeTargets(json::object& out, const json::object& right) {
    const std::vector<std::string> one = SelectorsIn(out);
    if (one.empty()) return;
    std::vector<std::string> merged = MergeSelectors(one, SelectorsIn(right), differences_);
    if (merged.empty()) merged = NamedSelectors();
    // Nothing finds it in both: the left one's are better than none.
    PutSelectors(out, merged.empty() ? one : merged);
  }

  // What a person would say of it.
  std::vector<std::string> NamedSelectors() const {
    if (!out_.element || out_.element->name.empty() || out_.element->role.empty()) return {};
    model::SelectorStep step{.engine = model::Engine::kRole};
    step.role.role = out_.element->role;
    step.role.name = {.text = out_.element->name, .mode = model::TextMode::kExact};
    const std::string selector = model::Selector{{step}}.ToString();
    if (!model::MakeNamedSelector(selector)) return {};
    return {selector};
  }

  // Parameters of the right one get the names that they have in the left one; a literal that only
  // one of them has is the left one's.
  void MergeValue(json::value& left, const json::value& right, std::string_view key) {
    if (json::string* text = left.if_string(); text != nullptr && right.is_string()) {
      if (key == "url") return MergeUrl(*text, right.get_string());
      if (key == "selector") return MergeSelector(*text, right.get_string());
      if (const auto known = differences_.Known(*text, right.get_string())) *text = *known;
    } else if (json::array* array = left.if_array(); array != nullptr && right.is_array()) {
      const json::array& other = right.get_array();
      if (array->size() != other.size()) return;
      for (std::size_t i = 0; i < array->size(); ++i) MergeValue((*array)[i], other[i], key);
    } else if (json::object* object = left.if_object(); object != nullptr && right.is_object()) {
      if (key == "text") return;  // a secret is a person's to name
      for (auto& member : *object) {
        const json::value* other = right.get_object().if_contains(member.key());
        if (other != nullptr) MergeValue(member.value(), *other, member.key());
      }
    }
  }

  void MergeSelector(json::string& left, std::string_view right) {
    const auto merged = MergeSelectors({std::string(left)}, {std::string(right)}, differences_);
    if (!merged.empty()) left = merged.front();
  }

  void MergeUrl(json::string& left, std::string_view right) {
    if (const auto known = differences_.Known(left, right)) {
      left = *known;
    } else if (const auto kind = SameKindOfAddress(left, right)) {
      const auto merged =
          differences_.KnownOrNew(left, right, {.name = KindWords(*kind), .about = "the address"});
      if (merged) left = *merged;
    }
  }

  void MergeGuards() {
    const std::string leads_to =
        CommonAddress(LeadsToOf(left_.contract), LeadsToOf(right_.contract));
    if (IsDerived(left_.contract)) return PutGuards(out_.contract, leads_to);
    predict::MergeGuards(out_.contract, right_.contract, differences_);
    if (!HasGuard(out_.contract)) PutGuards(out_.contract, leads_to);
  }

  void MergeHealed() {
    for (const HealedSelector& healed : right_.healed) {
      const bool is_new = std::ranges::find(out_.healed, healed) == out_.healed.end();
      if (is_new && out_.healed.size() < kMaxHealedSelectors) out_.healed.push_back(healed);
    }
  }

  const WorkflowStep& left_;
  const WorkflowStep& right_;
  WorkflowDifferences& differences_;
  WorkflowStep out_;
};

// Its texts repeat what is known to differ elsewhere.
WorkflowStep WithTexts(WorkflowStep step, const RecordedTexts& texts) {
  if (!step.element || texts.empty()) return step;
  const Fingerprint open = texts.MoreElement(*step.element);
  if (open == *step.element) return step;
  const bool is_derived = IsDerived(step.contract);
  const std::string leads_to = LeadsToOf(step.contract);
  step.element = open;
  json::object& spec = SpecIn(step);
  std::vector<std::string> selectors;
  for (const std::string& selector : SelectorsIn(spec))
    if (std::string more = texts.MoreSelector(selector); !more.empty()) selectors.push_back(more);
  if (!selectors.empty()) PutSelectors(spec, selectors);
  if (is_derived) PutGuards(step.contract, leads_to);
  step.intent = IntentOf(step);
  step.signature = StepSignature(step);
  return step;
}

}  // namespace

WorkflowStep MergeSteps(const WorkflowStep& left, const WorkflowStep& right,
                        WorkflowDifferences& differences) {
  return StepMerger(left, right, differences).Merge();
}

WorkflowStep LeftStep(WorkflowStep step, const WorkflowDifferences& differences) {
  return WithTexts(std::move(step), differences.left());
}

WorkflowStep RightStep(WorkflowStep step, const WorkflowDifferences& differences) {
  ChangeTexts(step, [&](std::string_view text) { return differences.Renamed(text); });
  return WithTexts(std::move(step), differences.right());
}

}  // namespace falconer::predict
