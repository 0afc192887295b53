#include "browser/recorder/page_input.h"

#include <algorithm>
#include <utility>

#include "browser/frames/page_fingerprint.h"

namespace falconer::browser {
namespace {

using model::ActionType;

constexpr EnumName<ActionType> kToldKinds[] = {
    {ActionType::kClick, "click"},   {ActionType::kCheck, "check"},
    {ActionType::kFill, "fill"},     {ActionType::kUncheck, "uncheck"},
    {ActionType::kType, "type"},     {ActionType::kClear, "clear"},
    {ActionType::kSelect, "select"}, {ActionType::kPress, "press"},
    {ActionType::kUpload, "upload"}, {ActionType::kDrag, "drag"},
};

struct ToldInput {
  ActionType type = ActionType::kClick;
  std::optional<std::int64_t> hand;
  std::optional<json::object> element;
  std::optional<json::object> to;
  std::optional<std::string> text;
  bool is_secret = false;
  std::optional<std::string> key;
  std::vector<std::string> modifiers;
  std::optional<model::MouseButton> button;
  std::int64_t count = 1;
  std::vector<model::SelectValue> options;
  std::vector<std::string> files;
};

model::SelectValue ReadToldOption(JsonReader& in) {
  return {.value = in.OptionalString("value"),
          .label = in.OptionalString("label"),
          .index = std::nullopt};
}

ToldInput ReadTold(JsonReader& in) {
  in.String("document");
  return {
      .type = in.Enum("kind", kToldKinds),
      .hand = in.OptionalInteger("hand"),
      .element = in.OptionalRawObject("element"),
      .to = in.OptionalRawObject("to"),
      .text = in.OptionalString("text"),
      .is_secret = in.OptionalBool("secret").value_or(false),
      .key = in.OptionalString("key", {1, 32}),
      .modifiers = in.OptionalStrings("modifiers", {0, 4}).value_or(std::vector<std::string>()),
      .button = in.OptionalEnum("button", model::kMouseButtons),
      .count = in.OptionalInteger("count", model::kClickCounts).value_or(1),
      .options = in.OptionalObjects("options", ReadToldOption, {0, model::kMaxSelectValues}),
      .files =
          in.OptionalStrings("files", {0, model::kMaxFiles}).value_or(std::vector<std::string>())};
}

std::optional<model::Target> TargetIn(const ToldFrom& from, const model::Fingerprint& element) {
  if (element.selectors.empty()) return std::nullopt;
  model::Target target;
  if (!from.place.frame->is_main()) target.fid = from.place.frame->fid;
  for (const std::string& selector : element.selectors) {
    auto named = model::MakeNamedSelector(selector);
    if (!named) continue;
    if (!target.selector) {
      target.selector = *std::move(named);
    } else if (target.candidates.size() < model::kMaxCandidates) {
      target.candidates.push_back(*std::move(named));
    }
  }
  return target;
}

// By where the file is, for one that the session's own actions gave; else by its name, which is all
// that pages know.
model::UploadFile FileNamed(const std::string& name, Session& session) {
  model::UploadFile file{.artifact_id = "", .path = name};
  const auto given = session.given_files().Named(name);
  if (!given) return file;
  const auto inside = given->lexically_relative(session.options().artifacts);
  if (!inside.empty() && *inside.begin() != "..") file.path = inside.string();
  return file;
}

// A secret may stand where nobody in the page knows it for one.
bool TellsTypedSecret(const Document& document, const std::string& text) {
  return document.secrets->Without(json::value(text)) != json::value(text);
}

void TakeText(ToldInput& told, const ToldFrom& from, PageInput& input) {
  const bool has_text = told.type == ActionType::kType || told.type == ActionType::kFill;
  if (!has_text) return;
  std::string text = std::move(told.text).value_or("");
  input.is_secret = input.is_secret || TellsTypedSecret(*from.place.document, text);
  input.spec.text = model::TextInput{.value = input.is_secret ? "" : std::move(text)};
  // The text is all that is in the field then.
  input.spec.clear_first = told.type == ActionType::kType;
}

void TakePresses(const ToldInput& told, PageInput& input) {
  for (const std::string& name : told.modifiers) {
    if (const auto modifier = model::ModifierNamed(name)) input.spec.modifiers.Add(*modifier);
  }
  input.spec.key = told.key;
  if (told.button && *told.button != model::MouseButton::kLeft) input.spec.button = told.button;
  if (told.count > 1) input.spec.click_count = static_cast<int>(told.count);
}

Result<void> TakeElements(const ToldInput& told, const ToldFrom& from, PageInput& input) {
  if (told.element) {
    TRY_ASSIGN(input.element, ReadFingerprint(from.place, *told.element));
    input.spec.target = TargetIn(from, *input.element);
  }
  if (told.to) {
    TRY_ASSIGN(const auto to, ReadFingerprint(from.place, *told.to));
    input.spec.drag_to = TargetIn(from, to);
  }
  return {};
}

}  // namespace

Result<PageInput> ReadPageInput(const json::object& message, const ToldFrom& from,
                                Session& session) {
  TRY_ASSIGN(ToldInput told, ReadJson(json::value(message), "told", ReadTold));
  PageInput input{.spec = {.type = told.type}, .element = {}, .is_secret = told.is_secret};
  TRY(TakeElements(told, from, input));
  TakeText(told, from, input);
  TakePresses(told, input);
  if (!input.is_secret) input.spec.select_values = std::move(told.options);
  for (const std::string& name : told.files) input.spec.files.push_back(FileNamed(name, session));
  if (told.hand) input.hand = static_cast<int>(*told.hand);
  input.tab = from.tab;
  return input;
}

}  // namespace falconer::browser
