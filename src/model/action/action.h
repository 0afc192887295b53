#pragma once
// ActionSpec: one thing to do in a browser, with all that it needs. Which fields a type takes is in
// the table of action_type.h; the limits are below.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/json/json_reader.h"
#include "model/action/action_type.h"
#include "model/action/keys.h"
#include "model/action/load_state.h"
#include "model/action/target.h"
#include "model/geometry.h"

namespace falconer::model {

inline constexpr std::size_t kMaxTextLength = 4096;      // code points in what is typed
inline constexpr std::size_t kMaxScriptLength = 512;     // code points in a script
inline constexpr std::size_t kMaxScriptArgument = 4096;  // bytes of its argument as JSON
inline constexpr std::size_t kMaxSecretName = 128;       // characters of its name and its fields
inline constexpr std::string_view kSecretNamePattern = "^[A-Za-z0-9_.-]{1,128}$";
inline constexpr std::size_t kMaxFiles = 16;
inline constexpr std::size_t kMaxSelectValues = 64;
inline constexpr Bounds<std::int64_t> kClickCounts = {1, 3};
inline constexpr Bounds<std::int64_t> kTimeoutMs = {1, 600'000};
inline constexpr Bounds<std::int64_t> kDelayMs = {0, 1000};

// What is typed: a literal, or the name of a secret whose value is put in only at the page.
struct TextInput {
  enum class Source : std::uint8_t { kLiteral, kSecret };

  std::string value;  // of a secret its name
  Source source = Source::kLiteral;
  std::string field = "";  // of a secret; empty: the one it is about

  bool is_secret() const { return source == Source::kSecret; }
  bool operator==(const TextInput&) const = default;
};

enum class ScrollTo : std::uint8_t { kTop, kBottom, kIntoView };

inline constexpr EnumName<ScrollTo> kScrollTargets[] = {
    {ScrollTo::kTop, "top"},
    {ScrollTo::kBottom, "bottom"},
    {ScrollTo::kIntoView, "into_view"},
};

// Either `to`, or a distance.
struct ScrollSpec {
  double dx = 0;
  double dy = 0;
  std::optional<ScrollTo> to;
  bool operator==(const ScrollSpec&) const = default;
};

// Exactly one of the three.
struct SelectValue {
  std::optional<std::string> value;
  std::optional<std::string> label;
  std::optional<int> index;
  bool operator==(const SelectValue&) const = default;
};

// Exactly one of the two; a path is relative to the folder of artifacts and stays inside it.
struct UploadFile {
  std::string artifact_id;
  std::string path;
  bool operator==(const UploadFile&) const = default;
};

enum class ExtractWhat : std::uint8_t {
  kText,
  kAttribute,
  kValue,
  kTable,
  kList,
  kLinks,
  kCount,
  kMarkdown,    // the content of the page, without what stands around it
  kHtml,        // without scripts, and without the values of hidden and secret fields
  kPage,        // text, markdown, links and what is known of the page, in one reading
  kPageText,    // the same without the markdown
  kBlockFacts,  // what tells whether the page keeps its visitors out
};

inline constexpr EnumName<ExtractWhat> kExtractKinds[] = {
    {ExtractWhat::kText, "text"},          {ExtractWhat::kAttribute, "attribute"},
    {ExtractWhat::kValue, "value"},        {ExtractWhat::kTable, "table"},
    {ExtractWhat::kList, "list"},          {ExtractWhat::kLinks, "links"},
    {ExtractWhat::kCount, "count"},        {ExtractWhat::kMarkdown, "markdown"},
    {ExtractWhat::kHtml, "html"},          {ExtractWhat::kPage, "page"},
    {ExtractWhat::kPageText, "page_text"}, {ExtractWhat::kBlockFacts, "block_facts"},
};

inline constexpr Bounds<std::int64_t> kExtractLimits = {1, 1000};
inline constexpr Bounds<std::int64_t> kExtractChars = {1, 1'000'000};

struct ExtractSpec {
  ExtractWhat what = ExtractWhat::kText;
  std::string attribute;  // its name, for kAttribute
  bool many = false;      // from every match instead of the only one
  int limit = 100;        // most matches, rows or links
  int max_chars = 20'000;
  bool operator==(const ExtractSpec&) const = default;
};

enum class ImageFormat : std::uint8_t { kPng, kJpeg, kWebp };

inline constexpr EnumName<ImageFormat> kImageFormats[] = {
    {ImageFormat::kPng, "png"},
    {ImageFormat::kJpeg, "jpeg"},
    {ImageFormat::kWebp, "webp"},
};

inline constexpr Bounds<std::int64_t> kQualities = {0, 100};
inline constexpr Bounds<double> kScales = {0.1, 4.0};
inline constexpr Bounds<std::int64_t> kPictureWidths = {16, 16'384};

struct ScreenshotSpec {
  ImageFormat format = ImageFormat::kPng;
  std::optional<int> quality;  // not for png
  bool full_page = false;
  double scale = 1;
  // Most pixels that the picture is wide: the browser makes it smaller then. What part of the page
  // it shows, and at which scale, is told in the outcome.
  std::optional<int> max_width;
  std::optional<Rect> clip;
  bool operator==(const ScreenshotSpec&) const = default;
};

inline constexpr Bounds<double> kPdfScales = {0.1, 2.0};

struct PdfSpec {
  bool landscape = false;
  bool print_background = false;
  double scale = 1;
  bool operator==(const PdfSpec&) const = default;
};

enum class StateScope : std::uint8_t { kViewport, kPage };

inline constexpr EnumName<StateScope> kStateScopes[] = {
    {StateScope::kViewport, "viewport"},
    {StateScope::kPage, "page"},
};

inline constexpr Bounds<std::int64_t> kOffsets = {0, 1'000'000};

struct SnapshotSpec {
  StateScope scope = StateScope::kViewport;
  int offset = 0;  // elements to skip, to read on in a long page
  bool operator==(const SnapshotSpec&) const = default;
};

struct DialogSpec {
  bool accept = false;
  std::optional<std::string> prompt_text;  // only when accepted
  bool operator==(const DialogSpec&) const = default;
};

inline constexpr Bounds<std::int64_t> kViewportSizes = {1, 10'000};

struct ViewportSpec {
  int width = 0;
  int height = 0;
  double scale = 1;  // device pixels per CSS pixel
  bool operator==(const ViewportSpec&) const = default;
};

struct ActionSpec {
  ActionType type = ActionType::kWaitOnly;
  std::optional<Target> target;
  std::optional<TextInput> text;
  std::optional<std::string> url;
  std::optional<std::string> key;
  ModifierSet modifiers;
  std::optional<MouseButton> button;
  std::optional<int> click_count;
  std::optional<std::chrono::milliseconds> delay;  // between keys
  bool clear_first = false;
  std::optional<ScrollSpec> scroll;
  std::optional<Target> drag_to;
  std::vector<SelectValue> select_values;
  std::vector<UploadFile> files;
  std::optional<std::string> js_expression;
  std::optional<json::value> js_argument;
  std::optional<ExtractSpec> extract;
  std::optional<ScreenshotSpec> screenshot;
  std::optional<PdfSpec> pdf;
  std::optional<SnapshotSpec> snapshot;
  std::optional<DialogSpec> dialog;
  std::optional<ViewportSpec> viewport;
  TabId tab_id;  // "" is the active tab
  std::optional<LoadState> wait_until;
  bool force = false;  // skip the checks that a person could do the same
  std::optional<std::string> referrer;
  std::optional<std::chrono::milliseconds> timeout;

  // Reads and validates. Fails with kInvalidActionSpec or kInvalidSelector, naming the field; a
  // field nobody knows is an error.
  static Result<ActionSpec> FromJson(const json::value& value, std::string path = "action_spec");
  // What FromJson reads; fields at their defaults are left out.
  json::object ToJson() const;
  // All rules: the table's and each field's own. Same codes as FromJson.
  Result<void> Validate() const;

  // The fields that are given.
  ActionFieldSet fields() const;
  const ActionTraits& traits() const { return TraitsOf(type); }
  bool operator==(const ActionSpec&) const = default;
};

// A name as kSecretNamePattern says.
bool IsSecretName(std::string_view name);
// {"secret":"NAME"} or {"secret":"NAME","field":"username"}; nothing for any other value.
std::optional<TextInput> SecretNamed(const json::value& value);

// For documents that hold an action among other things; does not validate.
ActionSpec ReadActionSpec(JsonReader& in);

}  // namespace falconer::model
