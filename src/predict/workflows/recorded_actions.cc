#include "predict/workflows/recorded_actions.h"

#include <algorithm>
#include <utility>

#include "predict/signature.h"

namespace falconer::predict {
namespace {

using enum model::ActionType;
using model::ActionSpec;
using model::ActionType;
using model::TextInput;

// Reads and looks leave nothing to do again; scripts of a caller and what is about one session's
// tabs cannot be done again.
constexpr ActionType kNotDoneAgain[] = {kScroll, kScreenshot,  kSnapshot,  kWaitOnly,
                                        kFocus,  kSetViewport, kSwitchTab, kCustomJsRestricted};
// Each of these makes what the one before it did in the same field meaningless.
constexpr ActionType kTypings[] = {kType, kFill, kClear};
constexpr ActionType kChoices[] = {kSelect};
constexpr ActionType kTicks[] = {kCheck, kUncheck};

bool IsAmong(std::span<const ActionType> types, ActionType type) {
  return std::ranges::find(types, type) != types.end();
}

bool IsTypingLike(ActionType type) {
  return IsAmong(kTypings, type) || IsAmong(kChoices, type) || IsAmong(kTicks, type);
}

// Both replace the same thing.
bool IsOfOneKind(ActionType a, ActionType b) {
  const auto are_both = [&](std::span<const ActionType> kind) {
    return IsAmong(kind, a) && IsAmong(kind, b);
  };
  return are_both(kTypings) || are_both(kChoices) || are_both(kTicks);
}

bool IsNamed(const RecordedStep& step) {
  if (step.element && !step.element->selectors.empty()) return true;
  const auto& target = step.spec.target;
  return target && (target->point || !target->Selectors().empty());
}

bool IsWorthDoing(const RecordedStep& step) {
  const ActionSpec& spec = step.spec;
  if (IsAmong(kNotDoneAgain, spec.type)) return false;
  if (spec.traits().target_need() == model::TargetNeed::kRequired || spec.target || step.element)
    return IsNamed(step);
  return true;
}

bool IsSameElement(const RecordedStep& a, const RecordedStep& b) {
  if (a.url_before != b.url_before) return false;
  if (a.element && b.element) {
    const auto& one = a.element->selectors;
    const auto& other = b.element->selectors;
    if (a.element->frame != b.element->frame) return false;
    if (!one.empty() && !other.empty()) return one.front() == other.front();
    return ElementSignature(*a.element) == ElementSignature(*b.element);
  }
  return a.spec.target && b.spec.target && !a.spec.target->Selectors().empty() &&
         a.spec.target->Selectors() == b.spec.target->Selectors();
}

bool IsPlainClick(const RecordedStep& step) {
  const ActionSpec& spec = step.spec;
  const bool stays = step.url_after.empty() || step.url_after == step.url_before;
  return spec.type == kClick && stays && spec.modifiers.empty() &&
         spec.button.value_or(model::MouseButton::kLeft) == model::MouseButton::kLeft;
}

// Keys that are sent one after the other go behind what is there.
std::string WholeText(const RecordedStep& before, const RecordedStep& step) {
  const bool adds = step.spec.type == kType && !step.spec.clear_first &&
                    step.by != store::DoneBy::kPerson && before.spec.type != kClear;
  const std::string head = adds && before.spec.text ? before.spec.text->value : "";
  return head + step.spec.text->value;
}

void Continue(RecordedStep& before, const RecordedStep& step) {
  RecordedStep whole = step;
  const bool is_literal = step.spec.text && !step.spec.text->is_secret();
  if (is_literal && (!before.spec.text || !before.spec.text->is_secret()))
    whole.spec.text->value = WholeText(before, step);
  whole.is_secret = before.is_secret || step.is_secret;
  before = std::move(whole);
}

// A person's typing is told as the whole text of the field.
void MakeFilling(RecordedStep& step) {
  ActionSpec& spec = step.spec;
  const bool is_whole = step.by == store::DoneBy::kPerson;
  if (spec.type == kType && is_whole && (spec.target || step.element)) spec.type = kFill;
  if (spec.type == kFill) {
    spec.clear_first = false;
    spec.delay.reset();
  }
  const bool is_emptied = spec.type == kFill && !step.is_secret && spec.text &&
                          !spec.text->is_secret() && spec.text->value.empty();
  if (!is_emptied) return;
  spec.type = kClear;
  spec.text.reset();
}

}  // namespace

std::vector<RecordedStep> ActionsWorthDoing(const std::vector<RecordedStep>& recorded) {
  std::vector<RecordedStep> kept;
  for (const RecordedStep& step : recorded) {
    if (!IsWorthDoing(step)) continue;
    const bool is_on_same = !kept.empty() && IsSameElement(kept.back(), step);
    if (is_on_same && IsTypingLike(step.spec.type) && IsPlainClick(kept.back())) kept.pop_back();
    const bool goes_on = !kept.empty() && IsOfOneKind(kept.back().spec.type, step.spec.type) &&
                         IsSameElement(kept.back(), step);
    const bool is_same_page = !kept.empty() && step.spec.type == kNavigate &&
                              kept.back().spec.type == kNavigate &&
                              kept.back().spec.url == step.spec.url;
    if (goes_on) {
      Continue(kept.back(), step);
    } else if (!is_same_page) {
      kept.push_back(step);
    }
  }
  std::ranges::for_each(kept, MakeFilling);
  return kept;
}

}  // namespace falconer::predict
