#include "predict/workflows/step_alignment.h"

#include <algorithm>

#include "model/action/action_type.h"
#include "predict/workflows/kind_of_thing.h"
#include "predict/workflows/selector_merge.h"
#include "predict/workflows/step_guards.h"
#include "predict/workflows/step_targets.h"
#include "predict/workflows/workflow_differences.h"

namespace falconer::predict {
namespace {

using model::Fingerprint;

// The same thing done to the same element; an element known by its author's name for it; elements
// that differ in what they say.
constexpr int kSameStep = 8;
constexpr int kSameElement = 6;
constexpr int kOtherWords = 3;
constexpr int kOtherThing = 2;

// These are what is typed into, whatever is asked for: other words are another field.
constexpr std::string_view kFieldTypes[] = {"type", "fill", "clear", "select", "upload"};

// A step that was read has one.
const json::object& SpecOf(const WorkflowStep& step) {
  return step.contract.at("action_spec").as_object();
}

// Filling a field and typing into it are the same.
std::string KindOf(const json::object& spec) {
  std::string type = TextAt(spec, "action_type");
  return type == "fill" ? "type" : type;
}

template <std::size_t N>
bool IsOneOf(const std::string_view (&words)[N], std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

bool ArePagesAlike(const std::string& left, const std::string& right) {
  return left.empty() || right.empty() || left == right || !CommonAddress(left, right).empty();
}

int ThingLikeness(const Fingerprint& left, const Fingerprint& right) {
  const std::string one = HrefOf(left);
  const std::string other = HrefOf(right);
  if (one.empty() != other.empty()) return 0;
  if (!one.empty() && CommonHref(one, other)) return kOtherWords;
  const bool are_in_items = !left.item.empty() && !right.item.empty();
  const bool are_alone = left.item.empty() && right.item.empty();
  if (!are_in_items && (!are_alone || !one.empty())) return 0;
  return are_in_items || IsNamedAfterThing(left) ? kOtherThing : 0;
}

int WordLikeness(const Fingerprint& left, const Fingerprint& right) {
  const WordDifference difference = DifferenceOf(left.name, right.name);
  if (difference.left.empty() || difference.right.empty()) return 0;
  if (difference.has_common_word) return kOtherWords;
  return ThingLikeness(left, right);
}

int ElementLikeness(const std::string& kind, const Fingerprint& left, const Fingerprint& right) {
  if (left.role != right.role || left.tag != right.tag || left.frame != right.frame) return 0;
  if (ShareAuthoredSelector(left.selectors, right.selectors)) return kSameElement;
  const bool is_field = IsOneOf(kFieldTypes, kind);
  const bool is_in_item = !left.item.empty() && !right.item.empty();
  if (is_field && !(is_in_item && DifferenceOf(left.name, right.name).has_common_word)) return 0;
  return WordLikeness(left, right);
}

int TargetLikeness(const json::object& left, const json::object& right) {
  const std::vector<std::string> one = SelectorsIn(left);
  const std::vector<std::string> other = SelectorsIn(right);
  const bool is_shared = std::ranges::any_of(one, [&](const std::string& selector) {
    return std::ranges::find(other, selector) != other.end();
  });
  return is_shared ? kSameElement : 0;
}

// The likeness of the best alignment of what is behind each pair of places.
class AlignmentTable {
 public:
  AlignmentTable(const std::vector<WorkflowStep>& left, const std::vector<WorkflowStep>& right)
      : width_(right.size() + 1), likeness_(left.size() * right.size()) {
    best_.resize((left.size() + 1) * width_);
    for (std::size_t i = left.size(); i-- > 0;) {
      for (std::size_t j = right.size(); j-- > 0;) {
        const int alike = LikenessOf(left[i], right[j]);
        likeness_[i * right.size() + j] = alike;
        const int apart = std::max(Best(i + 1, j), Best(i, j + 1));
        best_[i * width_ + j] = std::max(apart, alike > 0 ? alike + Best(i + 1, j + 1) : 0);
      }
    }
  }

  int Best(std::size_t i, std::size_t j) const { return best_[i * width_ + j]; }
  bool IsPair(std::size_t i, std::size_t j) const {
    const int alike = likeness_[i * (width_ - 1) + j];
    return alike > 0 && Best(i, j) == alike + Best(i + 1, j + 1);
  }

 private:
  std::size_t width_;
  std::vector<int> likeness_;
  std::vector<int> best_;
};

}  // namespace

int LikenessOf(const WorkflowStep& left, const WorkflowStep& right) {
  const json::object& one = SpecOf(left);
  const json::object& other = SpecOf(right);
  const std::string kind = KindOf(one);
  if (kind != KindOf(other) || !ArePagesAlike(left.page, right.page)) return 0;
  if (left.signature == right.signature) return kSameStep;
  if (TextAt(one, "key") != TextAt(other, "key")) return 0;
  if (left.element && right.element) return ElementLikeness(kind, *left.element, *right.element);
  const std::string url = TextAt(one, "url");
  if (url.empty()) return TargetLikeness(one, other);
  return SameKindOfAddress(url, TextAt(other, "url")) ? kOtherWords : 0;
}

std::vector<AlignedSteps> AlignSteps(const std::vector<WorkflowStep>& left,
                                     const std::vector<WorkflowStep>& right) {
  const AlignmentTable table(left, right);
  std::vector<AlignedSteps> out;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size() && j < right.size()) {
    if (table.IsPair(i, j)) {
      out.push_back({.left = i++, .right = j++});
    } else if (table.Best(i, j) == table.Best(i + 1, j)) {
      out.push_back({.left = i++});
    } else {
      out.push_back({.right = j++});
    }
  }
  while (i < left.size()) out.push_back({.left = i++});
  while (j < right.size()) out.push_back({.right = j++});
  return out;
}

}  // namespace falconer::predict
