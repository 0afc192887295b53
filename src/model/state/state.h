#pragma once
// StructuredState: the bounded projection of a tab for a model. Never markup, never the value of a
// secret field. The texts in it come from pages and are untrusted.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "model/text_visibility.h"

namespace falconer::model {

struct NetworkSummary;

enum class PagePhase : std::uint8_t { kLoading, kInteractive, kComplete };
enum class Toggle : std::uint8_t { kOff, kOn, kMixed };
enum class TextKind : std::uint8_t { kText, kHeading, kCell, kLabel, kAlert, kStatus, kList };
enum class ErrorKind : std::uint8_t { kBanner, kField };

struct FrameState {
  std::string fid;  // stable for the life of the frame
  std::string parent_fid;
  std::string origin;
  std::string title;
  bool visible = true;
  std::size_t interactive_count = 0;
  bool operator==(const FrameState&) const = default;
};

struct OptionState {
  std::string label;
  bool selected = false;
  bool operator==(const OptionState&) const = default;
};

// Something to act on.
struct ElementState {
  std::string ref;
  std::string fid;  // "" in the main frame
  std::string role;
  std::string name;
  std::string tag;
  std::string type;
  bool enabled = true;
  bool visible = true;
  bool in_viewport = true;
  bool focused = false;
  bool required = false;
  bool readonly = false;
  bool invalid = false;
  std::optional<Toggle> checked;
  std::optional<Toggle> pressed;
  std::optional<bool> selected;
  std::optional<bool> expanded;
  std::optional<int> level;
  // A secret field shows only whether it holds something.
  bool secret = false;
  bool filled = false;
  std::string value_hint;
  std::string placeholder;
  std::vector<OptionState> options;
  std::size_t options_total = 0;  // set when not all options are listed
  std::string href;
  std::string description;
  std::string form;   // ref of its form
  std::string group;  // what tells it from its namesakes
  bool in_overlay = false;
  bool obscured = false;
  std::array<double, 4> bbox{};  // x, y, width, height as shares of the viewport
  std::vector<std::string> selector_hints;
  double stability = 0;
  // How the name is shown, when it is not plainly. A description is always to be taken for an
  // attribute.
  std::optional<TextVisibility> unseen;
  bool operator==(const ElementState&) const = default;
};

struct TextState {
  std::string ref;
  std::string fid;
  TextKind kind = TextKind::kText;
  std::size_t level = 0;
  std::string text;
  // How it is shown, when it is not plainly: then it is a text of its own, apart from what people
  // read around it.
  std::optional<TextVisibility> unseen;
  bool operator==(const TextState&) const = default;
};

struct FormState {
  std::string ref;
  std::string fid;
  std::string name;
  std::vector<std::string> fields;
  std::size_t required_missing = 0;
  std::string submit;
  std::vector<std::string> invalid;
  bool operator==(const FormState&) const = default;
};

struct ErrorState {
  std::string ref;
  std::string fid;
  ErrorKind kind = ErrorKind::kBanner;
  std::string text;
  std::string field;  // ref of the field it speaks of
  std::optional<TextVisibility> unseen;
  bool operator==(const ErrorState&) const = default;
};

struct DialogState {
  std::string type;
  std::string message;
  std::string default_prompt;
  bool operator==(const DialogState&) const = default;
};

struct TabState {
  std::string tab_id;
  std::string url;
  std::string title;
  bool active = false;
  bool operator==(const TabState&) const = default;
};

struct DownloadEntry {
  std::string id;
  std::string name;
  std::string state;
  std::uint64_t received = 0;
  std::uint64_t total = 0;
  std::string sha256;
  bool operator==(const DownloadEntry&) const = default;
};

struct ConsoleEntry {
  std::string kind;
  std::string message;
  std::size_t count = 1;
  bool operator==(const ConsoleEntry&) const = default;
};

struct NetworkFailureState {
  std::string route_key;
  int status = 0;
  std::string status_class;
  std::string error_signature;
  std::int64_t latency_ms = 0;
  bool operator==(const NetworkFailureState&) const = default;
};

struct NetworkState {
  std::size_t requests = 0;
  std::size_t responses = 0;
  std::size_t failed = 0;
  std::size_t client_errors = 0;
  std::size_t server_errors = 0;
  std::size_t silent_failures = 0;
  std::size_t dropped = 0;
  std::vector<NetworkFailureState> failures;

  static NetworkState Of(const NetworkSummary& summary);
  bool operator==(const NetworkState&) const = default;
};

struct ScrollState {
  double x = 0;
  double y = 0;
  double max_x = 0;
  double max_y = 0;
  bool operator==(const ScrollState&) const = default;
};

struct ViewportState {
  int width = 0;
  int height = 0;
  bool operator==(const ViewportState&) const = default;
};

// How much there was and how much of it was left out.
struct SectionBudget {
  std::size_t total = 0;
  std::size_t omitted = 0;
  bool operator==(const SectionBudget&) const = default;
};

struct BudgetState {
  SectionBudget frames;
  SectionBudget elements;
  SectionBudget texts;
  SectionBudget forms;
  SectionBudget errors;
  bool operator==(const BudgetState&) const = default;
};

// The parts of a state that are hashed and compared one by one. kPage holds the single values.
enum class Section : std::uint8_t {
  kPage,
  kFrames,
  kElements,
  kTexts,
  kForms,
  kErrors,
  kDialogs,
  kTabs,
  kDownloads,
  kConsole,
  kNetwork,
};
inline constexpr std::size_t kSectionCount = 11;

std::string_view SectionName(Section section);

// Hashes by section: 24 hex digits over the content of each.
using SectionHashes = std::array<std::string, kSectionCount>;

// What a model is shown of places.
enum class Places : std::uint8_t { kOmit, kShow };

struct StructuredState {
  std::string state_id;        // names the content; see Seal
  std::string prev_state_id;   // of the state before it in the same tab
  std::uint64_t revision = 0;  // rises with every state of a tab, also when only places change
  std::string tab_id;
  std::string url;
  std::string title;
  PagePhase phase = PagePhase::kComplete;  // the default, so that what is unusual is written
  std::string focus;                       // ref of the focused element
  ScrollState scroll;
  ViewportState viewport;
  BudgetState budget;
  NetworkState network;
  std::vector<FrameState> frames;
  std::vector<ElementState> elements;
  std::vector<TextState> texts;
  std::vector<FormState> forms;
  std::vector<ErrorState> errors;
  std::vector<DialogState> dialogs;
  std::vector<TabState> tabs;
  std::vector<DownloadEntry> downloads;
  std::vector<ConsoleEntry> console_errors;
  SectionHashes hashes;

  // Everything, for stores and other programs.
  json::object ToJson() const;
  // What a model may see: no hints, no hashes, places only if asked for.
  json::object ToModelJson(Places places = Places::kOmit) const;
  // Strict. Fails with kInvalidArgument that names the field.
  static Result<StructuredState> FromJson(const json::value& value);
  bool operator==(const StructuredState&) const = default;
};

// Computes the hashes and the state_id: "s_" and 24 hex digits of SHA-256 over the hashes of the
// content sections. Activity (network, console) and places have no part in it, so that equal ids
// mean equal content. Fails with kInvalidArgument for text that is not UTF-8.
Result<void> Seal(StructuredState& state);

// The hash of one section as Seal computes it.
Result<std::string> HashSection(const StructuredState& state, Section section);

}  // namespace falconer::model
