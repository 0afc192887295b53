// ActionSpec to and from JSON. Reading checks types and turns older names into today's fields; the
// rules are applied afterwards by Validate.

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "model/action/action.h"

namespace falconer::model {
namespace {

constexpr Bounds<std::int64_t> kInts = {std::numeric_limits<int>::min(),
                                        std::numeric_limits<int>::max()};

std::optional<int> OptionalInt(JsonReader& in, std::string_view key) {
  const std::optional<std::int64_t> value = in.OptionalInteger(key, kInts);
  if (!value) return std::nullopt;
  return static_cast<int>(*value);
}

ActionType ReadType(JsonReader& in) {
  const std::string name = in.String("action_type");
  const std::optional<ActionType> type = ActionTypeNamed(name);
  if (!type) in.Reject("action_type", "is not a known action");
  return type.value_or(ActionType::kWaitOnly);
}

// A target is given as an object, or by its fields among the action's own.
std::optional<Target> ReadActionTarget(JsonReader& in) {
  Target flat = ReadTarget(in, kFlatTargetKeys);
  auto nested = in.OptionalObject("target", [](JsonReader& target) { return ReadTarget(target); });
  const bool has_flat = flat != Target();
  if (nested && has_flat) in.Reject("target", "is given twice");
  if (nested) return nested;
  return has_flat ? std::optional(std::move(flat)) : std::nullopt;
}

std::optional<TextInput> ReadText(JsonReader& in) {
  const std::optional<json::value> value = in.OptionalRawValue("text");
  if (!value) return std::nullopt;
  if (const json::string* literal = value->if_string()) {
    return TextInput{.value = std::string(*literal)};
  }
  auto secret = in.OptionalObject("text", [](JsonReader& text) {
    return TextInput{.value = text.String("secret"),
                     .source = TextInput::Source::kSecret,
                     .field = text.OptionalString("field").value_or("")};
  });
  return secret;
}

void ReadKey(JsonReader& in, ActionSpec& spec) {
  for (const std::string& name :
       in.OptionalStrings("modifiers").value_or(std::vector<std::string>())) {
    if (const auto modifier = ModifierNamed(name)) {
      spec.modifiers.Add(*modifier);
    } else {
      in.Reject("modifiers", "knows Alt, Control, Meta and Shift");
    }
  }
  spec.key = in.OptionalString("key");
  if (!spec.key) return;
  Result<KeyChord> chord = ParseKeyChord(*spec.key);
  if (!chord) return in.Reject("key", chord.error().message());
  spec.key = std::move(chord->key);
  spec.modifiers = spec.modifiers | chord->modifiers;
}

ScrollSpec ReadScroll(JsonReader& in) {
  return {.dx = in.OptionalNumber("dx").value_or(0),
          .dy = in.OptionalNumber("dy").value_or(0),
          .to = in.OptionalEnum("to", kScrollTargets)};
}

std::vector<SelectValue> ReadSelectValues(JsonReader& in) {
  std::vector<SelectValue> values = in.OptionalObjects("select_values", [](JsonReader& value) {
    return SelectValue{.value = value.OptionalString("value"),
                       .label = value.OptionalString("label"),
                       .index = OptionalInt(value, "index")};
  });
  if (auto one = in.OptionalString("select_value")) {
    if (!values.empty()) in.Reject("select_value", "is given together with select_values");
    values.push_back({.value = std::move(one)});
  }
  return values;
}

std::vector<UploadFile> ReadFiles(JsonReader& in) {
  std::vector<UploadFile> files = in.OptionalObjects("files", [](JsonReader& file) {
    return UploadFile{.artifact_id = file.OptionalString("artifact_id").value_or(""),
                      .path = file.OptionalString("path").value_or("")};
  });
  if (auto one = in.OptionalString("upload_artifact_id")) {
    if (!files.empty()) in.Reject("upload_artifact_id", "is given together with files");
    files.push_back({.artifact_id = *std::move(one)});
  }
  return files;
}

ExtractSpec ReadExtract(JsonReader& in) {
  const ExtractSpec defaults;
  return {.what = in.OptionalEnum("what", kExtractKinds).value_or(defaults.what),
          .attribute = in.OptionalString("attribute").value_or(""),
          .many = in.OptionalBool("many").value_or(false),
          .limit = OptionalInt(in, "limit").value_or(defaults.limit),
          .max_chars = OptionalInt(in, "max_chars").value_or(defaults.max_chars)};
}

ScreenshotSpec ReadScreenshot(JsonReader& in) {
  return {.format = in.OptionalEnum("format", kImageFormats).value_or(ImageFormat::kPng),
          .quality = OptionalInt(in, "quality"),
          .full_page = in.OptionalBool("full_page").value_or(false),
          .scale = in.OptionalNumber("scale").value_or(1),
          .max_width = OptionalInt(in, "max_width"),
          .clip = in.OptionalObject("clip", ReadRect)};
}

PdfSpec ReadPdf(JsonReader& in) {
  return {.landscape = in.OptionalBool("landscape").value_or(false),
          .print_background = in.OptionalBool("print_background").value_or(false),
          .scale = in.OptionalNumber("scale").value_or(1)};
}

SnapshotSpec ReadSnapshot(JsonReader& in) {
  return {.scope = in.OptionalEnum("scope", kStateScopes).value_or(StateScope::kViewport),
          .offset = OptionalInt(in, "offset").value_or(0)};
}

DialogSpec ReadDialog(JsonReader& in) {
  return {.accept = in.Bool("accept"), .prompt_text = in.OptionalString("prompt_text")};
}

ViewportSpec ReadViewport(JsonReader& in) {
  return {.width = static_cast<int>(in.Integer("width", kInts)),
          .height = static_cast<int>(in.Integer("height", kInts)),
          .scale = in.OptionalNumber("scale").value_or(1)};
}

// Writers: the mirror of the readers above.
void WriteTexts(const ActionSpec& spec, json::object& out) {
  if (spec.text && spec.text->is_secret()) {
    json::object& reference = out["text"].emplace_object();
    reference["secret"] = spec.text->value;
    if (!spec.text->field.empty()) reference["field"] = spec.text->field;
  } else if (spec.text) {
    out["text"] = spec.text->value;
  }
  if (spec.url) out["url"] = *spec.url;
  if (spec.key) out["key"] = *spec.key;
  if (!spec.modifiers.empty()) out["modifiers"] = ModifiersJson(spec.modifiers);
  if (spec.js_expression) out["js_expression"] = *spec.js_expression;
  if (spec.js_argument) out["js_argument"] = *spec.js_argument;
  if (spec.referrer) out["referrer"] = *spec.referrer;
}

void WriteSimple(const ActionSpec& spec, json::object& out) {
  if (spec.button) out["button"] = NameIn(kMouseButtons, *spec.button);
  if (spec.click_count) out["click_count"] = *spec.click_count;
  if (spec.delay) out["delay_ms"] = spec.delay->count();
  if (spec.clear_first) out["clear_first"] = true;
  if (!spec.tab_id.empty()) out["tab_id"] = spec.tab_id.value();
  if (spec.wait_until) out["wait_until"] = NameIn(kLoadStates, *spec.wait_until);
  if (spec.force) out["force"] = true;
  if (spec.timeout) out["timeout_ms"] = spec.timeout->count();
}

json::object ScrollJson(const ScrollSpec& scroll) {
  if (scroll.to) return {{"to", NameIn(kScrollTargets, *scroll.to)}};
  return {{"dx", scroll.dx}, {"dy", scroll.dy}};
}

json::object SelectValueJson(const SelectValue& one) {
  json::object out;
  if (one.value) out["value"] = *one.value;
  if (one.label) out["label"] = *one.label;
  if (one.index) out["index"] = *one.index;
  return out;
}

json::object FileJson(const UploadFile& file) {
  if (!file.artifact_id.empty()) return {{"artifact_id", file.artifact_id}};
  return {{"path", file.path}};
}

template <typename T, typename Write>
void WriteArray(json::object& out, std::string_view key, const std::vector<T>& items, Write write) {
  if (items.empty()) return;
  json::array& array = out[key].emplace_array();
  for (const T& item : items) array.emplace_back(write(item));
}

json::object ExtractJson(const ExtractSpec& extract) {
  json::object out{{"what", NameIn(kExtractKinds, extract.what)},
                   {"many", extract.many},
                   {"limit", extract.limit},
                   {"max_chars", extract.max_chars}};
  if (!extract.attribute.empty()) out["attribute"] = extract.attribute;
  return out;
}

json::object ScreenshotJson(const ScreenshotSpec& shot) {
  json::object out{{"format", NameIn(kImageFormats, shot.format)},
                   {"full_page", shot.full_page},
                   {"scale", shot.scale}};
  if (shot.quality) out["quality"] = *shot.quality;
  if (shot.max_width) out["max_width"] = *shot.max_width;
  if (shot.clip) out["clip"] = RectJson(*shot.clip);
  return out;
}

json::object DialogJson(const DialogSpec& dialog) {
  json::object out{{"accept", dialog.accept}};
  if (dialog.prompt_text) out["prompt_text"] = *dialog.prompt_text;
  return out;
}

void WriteGroups(const ActionSpec& spec, json::object& out) {
  if (spec.scroll) out["scroll"] = ScrollJson(*spec.scroll);
  if (spec.drag_to) out["drag_to"] = spec.drag_to->ToJson();
  WriteArray(out, "select_values", spec.select_values, SelectValueJson);
  WriteArray(out, "files", spec.files, FileJson);
  if (spec.extract) out["extract"] = ExtractJson(*spec.extract);
  if (spec.screenshot) out["screenshot"] = ScreenshotJson(*spec.screenshot);
  if (spec.dialog) out["dialog"] = DialogJson(*spec.dialog);
  if (const auto& pdf = spec.pdf) {
    out["pdf"] = {{"landscape", pdf->landscape},
                  {"print_background", pdf->print_background},
                  {"scale", pdf->scale}};
  }
  if (const auto& snapshot = spec.snapshot) {
    out["snapshot"] = {{"scope", NameIn(kStateScopes, snapshot->scope)},
                       {"offset", snapshot->offset}};
  }
  if (const auto& viewport = spec.viewport) {
    out["viewport"] = {
        {"width", viewport->width}, {"height", viewport->height}, {"scale", viewport->scale}};
  }
}

}  // namespace

bool IsSecretName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxSecretName && std::ranges::all_of(name, [](char c) {
    return IsLetterOrDigit(c) || c == '_' || c == '.' || c == '-';
  });
}

std::optional<TextInput> SecretNamed(const json::value& value) {
  const json::object* object = value.if_object();
  const json::value* name = object == nullptr ? nullptr : object->if_contains("secret");
  if (name == nullptr || !name->is_string()) return std::nullopt;
  const json::value* field = object->if_contains("field");
  const bool is_more = object->size() != (field == nullptr ? 1U : 2U);
  if (is_more || (field != nullptr && !field->is_string())) return std::nullopt;
  TextInput secret{.value = std::string(name->get_string()), .source = TextInput::Source::kSecret};
  if (field != nullptr) secret.field = std::string(field->get_string());
  const bool is_named =
      IsSecretName(secret.value) && (secret.field.empty() || IsSecretName(secret.field));
  return is_named ? std::optional(std::move(secret)) : std::nullopt;
}

ActionSpec ReadActionSpec(JsonReader& in) {
  ActionSpec spec{.type = ReadType(in)};
  spec.target = ReadActionTarget(in);
  spec.text = ReadText(in);
  spec.url = in.OptionalString("url");
  ReadKey(in, spec);
  spec.button = in.OptionalEnum("button", kMouseButtons);
  spec.click_count = OptionalInt(in, "click_count");
  spec.delay = in.OptionalMilliseconds("delay_ms");
  spec.clear_first = in.OptionalBool("clear_first").value_or(false);
  spec.scroll = in.OptionalObject("scroll", ReadScroll);
  spec.drag_to = in.OptionalObject("drag_to", [](JsonReader& to) { return ReadTarget(to); });
  spec.select_values = ReadSelectValues(in);
  spec.files = ReadFiles(in);
  spec.js_expression = in.OptionalString("js_expression");
  spec.js_argument = in.OptionalRawValue("js_argument");
  spec.extract = in.OptionalObject("extract", ReadExtract);
  spec.screenshot = in.OptionalObject("screenshot", ReadScreenshot);
  spec.pdf = in.OptionalObject("pdf", ReadPdf);
  spec.snapshot = in.OptionalObject("snapshot", ReadSnapshot);
  spec.dialog = in.OptionalObject("dialog", ReadDialog);
  spec.viewport = in.OptionalObject("viewport", ReadViewport);
  spec.tab_id = TabId(in.OptionalString("tab_id").value_or(""));
  spec.wait_until = in.OptionalEnum("wait_until", kLoadStates);
  spec.force = in.OptionalBool("force").value_or(false);
  spec.referrer = in.OptionalString("referrer");
  spec.timeout = in.OptionalMilliseconds("timeout_ms");
  return spec;
}

Result<ActionSpec> ActionSpec::FromJson(const json::value& value, std::string path) {
  const std::string where = path;
  TRY_ASSIGN(ActionSpec spec,
             ReadJson(value, std::move(path), ReadActionSpec, ErrorCode::kInvalidActionSpec));
  if (auto valid = spec.Validate(); !valid) {
    return Fail(where.empty() ? std::move(valid).error() : std::move(valid).error().In(where));
  }
  return spec;
}

json::object ActionSpec::ToJson() const {
  json::object out{{"action_type", ActionName(type)}};
  if (target) WriteTarget(*target, kFlatTargetKeys, out);
  WriteTexts(*this, out);
  WriteSimple(*this, out);
  WriteGroups(*this, out);
  return out;
}

}  // namespace falconer::model
