#include "model/action/action_type.h"

#include <utility>

namespace falconer::model {
namespace {

using F = ActionField;
using enum ActionType;
using enum Mutating;
using enum Preview;
using enum WorkClass;
using C = Capability;

constexpr ActionFieldSet kEverywhere = {F::kTimeout, F::kTabId};
constexpr ActionFieldSet kNothing;
constexpr ActionFieldSet kTarget = {F::kTarget};
constexpr ActionFieldSet kForced = {F::kForce};
constexpr ActionFieldSet kPointer = {F::kModifiers, F::kButton, F::kForce};
constexpr ActionFieldSet kClicking = kPointer | ActionFieldSet{F::kClickCount};
constexpr ActionFieldSet kHistory = {F::kWaitUntil};
constexpr ActionFieldSet kOpening = {F::kWaitUntil, F::kReferrer};
constexpr ActionFieldSet kFilling = {F::kTarget, F::kText};
constexpr ActionFieldSet kDragging = {F::kTarget, F::kDragTo};

// clang-format off
constexpr ActionTraits kActions[] = {
    // type, name, capability, mutating, preview, work, required, any of, optional
    {kNavigate,    "navigate",     C::kNavigate, kNo,    kNever,         kHeavy, {F::kUrl}, kNothing, kOpening},
    {kGoBack,      "go_back",      C::kNavigate, kNo,    kNever,         kLight, kNothing,  kNothing, kHistory},
    {kGoForward,   "go_forward",   C::kNavigate, kNo,    kNever,         kLight, kNothing,  kNothing, kHistory},
    {kReload,      "reload",       C::kNavigate, kMaybe, kNever,         kLight, kNothing,  kNothing, kHistory},
    {kClick,       "click",        C::kInteract, kMaybe, kIfFormSubmit,  kLight, kTarget,   kNothing, kClicking},
    {kDoubleClick, "double_click", C::kInteract, kMaybe, kIfFormSubmit,  kLight, kTarget,   kNothing, kPointer},
    {kHover,       "hover",        C::kInteract, kNo,    kNever,         kLight, kTarget,   kNothing, {F::kModifiers, F::kForce}},
    {kType,        "type",         C::kWrite,    kYes,   kIfSecretField, kLight, {F::kText}, kNothing, {F::kTarget, F::kDelay, F::kClearFirst, F::kForce}},
    {kFill,        "fill",         C::kWrite,    kYes,   kIfSecretField, kLight, kFilling,  kNothing, kForced},
    {kClear,       "clear",        C::kWrite,    kYes,   kNever,         kLight, kTarget,   kNothing, kForced},
    {kPress,       "press",        C::kInteract, kMaybe, kIfFormSubmit,  kLight, {F::kKey}, kNothing, {F::kTarget, F::kModifiers, F::kDelay}},
    {kSelect,      "select",       C::kWrite,    kYes,   kNever,         kLight, {F::kTarget, F::kSelectValues}, kNothing, kForced},
    {kCheck,       "check",        C::kWrite,    kYes,   kNever,         kLight, kTarget,   kNothing, kForced},
    {kUncheck,     "uncheck",      C::kWrite,    kYes,   kNever,         kLight, kTarget,   kNothing, kForced},
    {kScroll,      "scroll",       C::kRead,     kNo,    kNever,         kLight, {F::kScroll}, kNothing, kTarget},
    {kDrag,        "drag",         C::kInteract, kMaybe, kIfFormSubmit,  kLight, kDragging, kNothing, kPointer},
    {kUpload,      "upload",       C::kUpload,   kYes,   kNever,         kHeavy, {F::kFiles}, kNothing, kTarget},
    {kDownloadTrigger, "download_trigger", C::kDownload, kMaybe, kNever, kHeavy, kNothing, {F::kTarget, F::kUrl}, kPointer},
    {kExtract,     "extract",      C::kRead,     kNo,    kNever,         kLight, kNothing,  kNothing, {F::kTarget, F::kExtract}},
    {kScreenshot,  "screenshot",   C::kRead,     kNo,    kNever,         kLight, kNothing,  kNothing, {F::kTarget, F::kScreenshot}},
    {kPdf,         "pdf",          C::kExport,   kNo,    kNever,         kLight, kNothing,  kNothing, {F::kPdf}},
    {kSnapshot,    "snapshot",     C::kRead,     kNo,    kNever,         kLight, kNothing,  kNothing, {F::kSnapshot}},
    {kWaitOnly,    "wait_only",    C::kRead,     kNo,    kNever,         kLight, kNothing,  kNothing, kNothing},
    {kCustomJsRestricted, "custom_js_restricted", C::kScript, kYes, kNever, kHeavy, {F::kJsExpression}, kNothing, {F::kTarget, F::kJsArgument}},
    {kNewTab,      "new_tab",      C::kNavigate, kNo,    kNever,         kLight, kNothing,  kNothing, kOpening | ActionFieldSet{F::kUrl}},
    {kSwitchTab,   "switch_tab",   C::kRead,     kNo,    kNever,         kLight, {F::kTabId}, kNothing, kNothing},
    {kCloseTab,    "close_tab",    C::kNavigate, kNo,    kNever,         kLight, kNothing,  kNothing, kNothing},
    {kHandleDialog, "handle_dialog", C::kInteract, kMaybe, kNever,       kLight, {F::kDialog}, kNothing, kNothing},
    {kSubmit,      "submit",       C::kSubmit,   kYes,   kAlways,        kLight, kTarget,   kNothing, kForced},
    {kPurchase,    "purchase",     C::kPurchase, kYes,   kAlways,        kLight, kTarget,   kNothing, kForced},
    {kFocus,       "focus",        C::kInteract, kNo,    kNever,         kLight, kTarget,   kNothing, kNothing},
    {kSetViewport, "set_viewport", C::kRead,     kNo,    kNever,         kLight, {F::kViewport}, kNothing, kNothing},
};
// clang-format on

constexpr EnumName<ActionType> kActionAliases[] = {
    {kPress, "press_key"},    {kType, "type_text"},    {kSelect, "select_option"},
    {kWaitOnly, "wait"},      {kWaitOnly, "wait_for"}, {kExtract, "get_text"},
    {kSnapshot, "get_state"}, {kNewTab, "open_tab"},   {kCustomJsRestricted, "custom_js"},
};

constexpr EnumName<ActionField> kActionFields[] = {
    {F::kTarget, "target"},
    {F::kText, "text"},
    {F::kUrl, "url"},
    {F::kKey, "key"},
    {F::kModifiers, "modifiers"},
    {F::kButton, "button"},
    {F::kClickCount, "click_count"},
    {F::kDelay, "delay_ms"},
    {F::kClearFirst, "clear_first"},
    {F::kScroll, "scroll"},
    {F::kDragTo, "drag_to"},
    {F::kSelectValues, "select_values"},
    {F::kFiles, "files"},
    {F::kJsExpression, "js_expression"},
    {F::kJsArgument, "js_argument"},
    {F::kExtract, "extract"},
    {F::kScreenshot, "screenshot"},
    {F::kPdf, "pdf"},
    {F::kSnapshot, "snapshot"},
    {F::kDialog, "dialog"},
    {F::kViewport, "viewport"},
    {F::kTabId, "tab_id"},
    {F::kWaitUntil, "wait_until"},
    {F::kForce, "force"},
    {F::kReferrer, "referrer"},
    {F::kTimeout, "timeout_ms"},
};

}  // namespace

ActionFieldSet ActionTraits::allowed() const {
  return required | any_of | optional | kEverywhere;
}

TargetNeed ActionTraits::target_need() const {
  if (required.Contains(F::kTarget)) return TargetNeed::kRequired;
  return allowed().Contains(F::kTarget) ? TargetNeed::kOptional : TargetNeed::kNone;
}

const ActionTraits& TraitsOf(ActionType type) {
  return kActions[std::to_underlying(type)];
}

std::span<const ActionTraits> AllActionTypes() {
  return kActions;
}

std::string_view ActionName(ActionType type) {
  return TraitsOf(type).name;
}

std::optional<ActionType> ActionTypeNamed(std::string_view name) {
  for (const ActionTraits& row : kActions) {
    if (row.name == name) return row.type;
  }
  return ValueIn(kActionAliases, name);
}

std::span<const EnumName<ActionType>> ActionAliases() {
  return kActionAliases;
}

std::string_view FieldName(ActionField field) {
  return kActionFields[std::to_underlying(field)].name;
}

std::span<const EnumName<ActionField>> AllActionFields() {
  return kActionFields;
}

}  // namespace falconer::model
