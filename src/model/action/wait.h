#pragma once
// WaitCondition: what must come true, as a tree of conditions joined by all, any and not. On the
// wire: {"kind", "payload": {...}, "timeout_ms"}; the fields of the payload may also stand beside
// "kind". A composite has "children" instead of a payload.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/json/json_reader.h"
#include "model/action/load_state.h"
#include "model/action/target.h"
#include "model/pattern.h"

namespace falconer::model {

inline constexpr int kMaxWaitDepth = 4;
inline constexpr std::size_t kMaxWaitLeaves = 16;
inline constexpr Bounds<std::int64_t> kWaitTimeoutMs = {0, 600'000};  // 0 looks once
inline constexpr Bounds<std::int64_t> kQuietMs = {1, 60'000};
inline constexpr Bounds<std::int64_t> kStatuses = {100, 599};

enum class WaitKind : std::uint8_t {
  kSelector,
  kUrl,
  kLoadState,
  kNetworkIdle,
  kResponse,
  kRequest,
  kFunction,
  kDomQuiet,
  kText,
  kElementState,
  kCount,
  kDialog,
  kDownload,
  kConsole,
  kStateChange,
  kFrame,
  kWebSocketFrame,
  kPopup,
  kAll,
  kAny,
  kNot,
};

enum class ElementCondition : std::uint8_t {
  kVisible,
  kHidden,
  kAttached,
  kDetached,
  kEnabled,
  kDisabled,
  kEditable,
  kChecked,
  kUnchecked,
  kStable,
};

inline constexpr EnumName<ElementCondition> kElementConditions[] = {
    {ElementCondition::kVisible, "visible"},     {ElementCondition::kHidden, "hidden"},
    {ElementCondition::kAttached, "attached"},   {ElementCondition::kDetached, "detached"},
    {ElementCondition::kEnabled, "enabled"},     {ElementCondition::kDisabled, "disabled"},
    {ElementCondition::kEditable, "editable"},   {ElementCondition::kChecked, "checked"},
    {ElementCondition::kUnchecked, "unchecked"}, {ElementCondition::kStable, "stable"},
};

// selector{selector|eid, fid, strict, state}. In all waits a target that matches several elements
// is fine, and one of them is enough, unless strict is true.
struct SelectorWait {
  Target target;
  ElementCondition state = ElementCondition::kVisible;
  bool operator==(const SelectorWait&) const = default;
};

// url{url_pattern, mode}, frame{url_pattern, mode}: glob when no mode is given.
struct UrlWait {
  Pattern url;
  bool operator==(const UrlWait&) const = default;
};

// load_state{state}
struct LoadStateWait {
  LoadState state = LoadState::kLoad;
  bool operator==(const LoadStateWait&) const = default;
};

// network_idle{quiet_ms}, dom_quiet{quiet_ms}
struct QuietWait {
  std::chrono::milliseconds quiet{500};
  bool operator==(const QuietWait&) const = default;
};

// response{method, url_pattern, mode, status_min, status_max}; request without the status. The
// pattern is a regular expression when no mode is given; absent parts match everything.
struct ExchangeWait {
  std::string method;  // upper case
  std::optional<Pattern> url;
  int status_min = 100;
  int status_max = 599;
  bool operator==(const ExchangeWait&) const = default;
};

// function{expression, arg}: a script, and gated like one.
struct FunctionWait {
  std::string expression;
  std::optional<json::value> arg;
  bool operator==(const FunctionWait&) const = default;
};

// text{text, mode, absent, selector|eid, fid, strict}: anywhere in the page when no element is
// named.
struct TextWait {
  TextMatch text;
  bool absent = false;
  std::optional<Target> scope;
  bool operator==(const TextWait&) const = default;
};

// element_state{selector|eid, attribute|property, equals|matches}: with neither of the last two,
// the attribute or property must be there.
struct ElementStateWait {
  Target target;
  std::string attribute;
  std::string property;
  std::optional<json::value> equals;
  std::optional<std::string> matches;  // regular expression of the page's language
  bool operator==(const ElementStateWait&) const = default;
};

enum class CountOp : std::uint8_t { kEqual, kAtLeast, kAtMost };

inline constexpr EnumName<CountOp> kCountOps[] = {
    {CountOp::kEqual, "eq"},
    {CountOp::kAtLeast, "gte"},
    {CountOp::kAtMost, "lte"},
};

// count{selector, fid, op, n}
struct CountWait {
  Target target;
  CountOp op = CountOp::kEqual;
  int n = 0;
  bool operator==(const CountWait&) const = default;
};

enum class DialogType : std::uint8_t { kAlert, kConfirm, kPrompt, kBeforeUnload };

inline constexpr EnumName<DialogType> kDialogTypes[] = {
    {DialogType::kAlert, "alert"},
    {DialogType::kConfirm, "confirm"},
    {DialogType::kPrompt, "prompt"},
    {DialogType::kBeforeUnload, "beforeunload"},
};

// dialog{type}: any when no type is given.
struct DialogWait {
  std::optional<DialogType> type;
  bool operator==(const DialogWait&) const = default;
};

enum class DownloadState : std::uint8_t { kStarted, kCompleted, kFailed };

inline constexpr EnumName<DownloadState> kDownloadStates[] = {
    {DownloadState::kStarted, "started"},
    {DownloadState::kCompleted, "completed"},
    {DownloadState::kFailed, "failed"},
};

// download{state}
struct DownloadWait {
  DownloadState state = DownloadState::kCompleted;
  bool operator==(const DownloadWait&) const = default;
};

enum class ConsoleLevel : std::uint8_t { kDebug, kInfo, kWarning, kError };

inline constexpr EnumName<ConsoleLevel> kConsoleLevels[] = {
    {ConsoleLevel::kDebug, "debug"},
    {ConsoleLevel::kInfo, "info"},
    {ConsoleLevel::kWarning, "warning"},
    {ConsoleLevel::kError, "error"},
};

// console{level, pattern, mode}: absent parts match everything; a part of the message when no mode
// is given.
struct ConsoleWait {
  std::optional<ConsoleLevel> level;
  std::optional<Pattern> message;
  bool operator==(const ConsoleWait&) const = default;
};

// websocket_frame{pattern, mode}: any frame when no pattern is given, a part of its text when no
// mode is.
struct MessageWait {
  std::optional<Pattern> message;
  bool operator==(const MessageWait&) const = default;
};

// monostate: composites, and the kinds that have nothing to say (state_change, popup).
using WaitLeaf = std::variant<std::monostate, SelectorWait, UrlWait, LoadStateWait, QuietWait,
                              ExchangeWait, FunctionWait, TextWait, ElementStateWait, CountWait,
                              DialogWait, DownloadWait, ConsoleWait, MessageWait>;

// Where a kind is decided.
enum class WaitPlace : std::uint8_t { kPage, kDriver, kComposite };

struct WaitTraits {
  WaitKind kind;
  std::string_view name;
  WaitPlace place;
  std::size_t leaf;  // index of the kind's alternative in WaitLeaf
};

const WaitTraits& TraitsOf(WaitKind kind);
std::span<const WaitTraits> AllWaitKinds();
std::string_view WaitKindName(WaitKind kind);

struct WaitCondition {
  WaitKind kind = WaitKind::kLoadState;
  WaitLeaf leaf = LoadStateWait{};
  std::vector<WaitCondition> children;
  std::optional<std::chrono::milliseconds> timeout;

  // Reads and validates. Fails with kInvalidWaitCondition or kInvalidSelector, naming the field.
  static Result<WaitCondition> FromJson(const json::value& value, std::string path = "wait");
  // What FromJson reads, in the form with "payload".
  json::object ToJson() const;
  // Fails with kInvalidWaitCondition: too deep, too many leaves, a leaf of another kind or with
  // impossible values.
  Result<void> Validate() const;

  bool is_composite() const { return TraitsOf(kind).place == WaitPlace::kComposite; }
  // 1 for a leaf.
  int depth() const;
  std::size_t leaf_count() const;
  // True when some part of it runs a script of the caller's.
  bool has_script() const;
  bool operator==(const WaitCondition&) const = default;
};

// For documents that hold conditions among other things; does not validate.
WaitCondition ReadWaitCondition(JsonReader& in);

}  // namespace falconer::model
