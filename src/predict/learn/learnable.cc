#include "predict/learn/learnable.h"

#include <algorithm>

#include "base/utf8.h"
#include "model/action/keys.h"

namespace falconer::predict {
namespace {

using enum model::ActionType;

constexpr model::ActionType kLearnable[] = {
    kNavigate, kGoBack,          kGoForward, kReload, kClick,    kDoubleClick, kType,
    kFill,     kClear,           kPress,     kSelect, kCheck,    kUncheck,     kDrag,
    kUpload,   kDownloadTrigger, kNewTab,    kSubmit, kPurchase, kCloseTab,    kHandleDialog,
};

// One character without a modifier is typing, one letter at a time.
bool IsTyping(const model::ActionSpec& spec) {
  const auto chord = model::ParseKeyChord(spec.key.value_or(""));
  if (!chord) return true;
  const model::ModifierSet held =
      (chord->modifiers | spec.modifiers) - model::ModifierSet{model::Modifier::kShift};
  return held.empty() && Utf8Length(chord->key) <= 1;
}

}  // namespace

bool IsLearnable(const model::ActionSpec& spec) {
  if (std::ranges::find(kLearnable, spec.type) == std::end(kLearnable)) return false;
  return spec.type != kPress || !IsTyping(spec);
}

}  // namespace falconer::predict
