#pragma once
// The table of action types: one row says what an action needs, what it may be given, and how it is
// judged before it runs. Validation, documents and schemas read this table.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/json/json_reader.h"
#include "model/action/capability.h"
#include "model/enum_set.h"

namespace falconer::model {

enum class ActionType : std::uint8_t {
  kNavigate,
  kGoBack,
  kGoForward,
  kReload,
  kClick,
  kDoubleClick,
  kHover,
  kType,
  kFill,
  kClear,
  kPress,
  kSelect,
  kCheck,
  kUncheck,
  kScroll,
  kDrag,
  kUpload,
  kDownloadTrigger,
  kExtract,
  kScreenshot,
  kPdf,
  kSnapshot,
  kWaitOnly,
  kCustomJsRestricted,
  kNewTab,
  kSwitchTab,
  kCloseTab,
  kHandleDialog,
  kSubmit,
  kPurchase,
  kFocus,
  kSetViewport,
};

// The parts of an ActionSpec that a type may need or refuse.
enum class ActionField : std::uint8_t {
  kTarget,
  kText,
  kUrl,
  kKey,
  kModifiers,
  kButton,
  kClickCount,
  kDelay,
  kClearFirst,
  kScroll,
  kDragTo,
  kSelectValues,
  kFiles,
  kJsExpression,
  kJsArgument,
  kExtract,
  kScreenshot,
  kPdf,
  kSnapshot,
  kDialog,
  kViewport,
  kTabId,
  kWaitUntil,
  kForce,
  kReferrer,
  kTimeout,
};
using ActionFieldSet = EnumSet<ActionField>;

// Does it change something outside the page? `kMaybe` is settled by what it hits.
enum class Mutating : std::uint8_t { kNo, kMaybe, kYes };
// When a person sees what it will do before it does it.
enum class Preview : std::uint8_t { kNever, kIfFormSubmit, kIfSecretField, kAlways };
enum class WorkClass : std::uint8_t { kLight, kHeavy };
enum class TargetNeed : std::uint8_t { kNone, kOptional, kRequired };

struct ActionTraits {
  ActionType type;
  std::string_view name;
  Capability capability;
  Mutating mutating;
  Preview preview;
  WorkClass work;
  ActionFieldSet required;  // all of these
  ActionFieldSet any_of;    // at least one of these, when there are any
  ActionFieldSet optional;  // these too; every type also takes timeout and tab_id

  ActionFieldSet allowed() const;
  TargetNeed target_need() const;
};

const ActionTraits& TraitsOf(ActionType type);
// All rows, in the order of the enumeration.
std::span<const ActionTraits> AllActionTypes();

std::string_view ActionName(ActionType type);
// By its name or by one of the older names callers may still use (press_key, wait_for, ...).
std::optional<ActionType> ActionTypeNamed(std::string_view name);
// The older names.
std::span<const EnumName<ActionType>> ActionAliases();

// The field's name on the wire.
std::string_view FieldName(ActionField field);
std::span<const EnumName<ActionField>> AllActionFields();

}  // namespace falconer::model
