#include "api/tools/form_tools.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "api/tools/input_schema.h"
#include "browser/context/artifact_record.h"
#include "model/view/page_view.h"

namespace falconer::api {
namespace {

using enum Need;

constexpr std::size_t kMostFields = 50;
// Two contracts: the text, and Enter.
constexpr auto kTypeTime = std::chrono::seconds(70);
// Of all fields together; one takes a moment.
constexpr auto kFormTime = std::chrono::minutes(5);

// What callers call the kinds of fields.
constexpr EnumName<FieldKind> kFieldTypes[] = {
    {FieldKind::kText, "textbox"},  {FieldKind::kToggle, "checkbox"}, {FieldKind::kToggle, "radio"},
    {FieldKind::kList, "combobox"}, {FieldKind::kText, "slider"},
};
constexpr std::string_view kFieldTypeNames[] = {"textbox", "checkbox", "radio", "combobox",
                                                "slider"};

json::object WithTarget(const TargetArgument& target, std::string_view action) {
  json::object spec = target.fields;
  spec["action_type"] = action;
  return spec;
}

// A text, or the name of a secret in its place.
struct TextArgument {
  std::string value;
  std::optional<json::object> secret;

  json::value ToJson() const { return secret ? json::value(*secret) : json::value(value); }
  // What a caller knows of it: nothing of a secret.
  std::optional<std::string> known() const { return secret ? std::nullopt : std::optional(value); }
};

TextArgument ReadTextArgument(JsonReader& in, std::string_view key) {
  const json::value value = in.RawValue(key);
  if (value.is_string()) return {.value = std::string(value.get_string()), .secret = {}};
  if (model::SecretNamed(value)) return {.value = "", .secret = value.get_object()};
  if (value.is_bool() || value.is_number()) return {.value = json::serialize(value), .secret = {}};
  if (!in.failed()) in.Reject(key, "expected string or {\"secret\": name}");
  return {};
}

struct TypeArguments {
  TargetArgument target;
  TextArgument text;
  bool submits = false;
  bool is_slow = false;
  std::string session;
};

TypeArguments ReadType(JsonReader& in) {
  return {.target = ReadNeededTarget(in),
          .text = ReadTextArgument(in, "text"),
          .submits = in.OptionalBool("submit").value_or(false),
          .is_slow = in.OptionalBool("slowly").value_or(false),
          .session = ReadSession(in)};
}

// The element that was acted on, as the page named it.
std::string RefIn(const model::ActionExecutionResult& result) {
  const json::value* element = result.outcome ? result.outcome->if_contains("element") : nullptr;
  return element != nullptr && element->is_object() ? TextAt(element->get_object(), "ref") : "";
}

// The label of the option that was chosen; nothing when none was.
std::optional<std::string> ChosenIn(const model::ActionExecutionResult& result) {
  const json::value* chosen = result.outcome ? result.outcome->if_contains("extracted") : nullptr;
  if (chosen == nullptr || !chosen->is_array() || chosen->get_array().empty()) return std::nullopt;
  const json::value& first = chosen->get_array().front();
  return first.is_object() ? std::optional(TextAt(first.get_object(), "label")) : std::nullopt;
}

Task<Result<ToolAnswer>> Type(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadType));
  json::object spec = WithTarget(args.target, args.is_slow ? "type" : "fill");
  spec["text"] = args.text.ToJson();
  ActionWish wish{
      .session = args.session, .spec = std::move(spec), .intent = args.target.description};
  CO_TRY_ASSIGN(auto result, co_await context->Act(ctx, std::move(wish)));
  AnswerStyle style{.asked = {{.ref = RefIn(result), .value = args.text.known()}},
                    .quiet = QuietNews::kDrop};
  if (result.success && args.submits) {
    call.report("typed");
    style.quiet = QuietNews::kTell;
    style.more = Remarks(result);
    json::object enter = WithTarget(args.target, "press");
    enter["key"] = "Enter";
    ActionWish submit{.session = args.session, .spec = std::move(enter), .intent = "submit"};
    CO_TRY_ASSIGN(result, co_await context->Act(ctx, std::move(submit)));
  }
  co_return co_await context->Tell(std::move(ctx), args.session, std::move(result),
                                   std::move(style));
}

struct PressArguments {
  std::string key;
  TargetArgument target;
  std::string session;
};

Task<Result<ToolAnswer>> PressKey(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, [](JsonReader& in) {
                  return PressArguments{in.String("key", {1}), ReadTargetArgument(in),
                                        ReadSession(in)};
                }));
  json::object spec = WithTarget(args.target, "press");
  spec["key"] = args.key;
  ActionWish wish{
      .session = args.session, .spec = std::move(spec), .intent = args.target.description};
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish),
                                         {.focus = FocusNews::kTell});
}

struct SelectArguments {
  TargetArgument target;
  std::vector<std::string> values;
  std::string session;
};

Task<Result<ToolAnswer>> SelectOption(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, [](JsonReader& in) {
                  return SelectArguments{ReadNeededTarget(in),
                                         in.Strings("values", {1, model::kMaxSelectValues}),
                                         ReadSession(in)};
                }));
  CO_TRY_ASSIGN(const auto facts, co_await LookUp(ctx, context, args.session, args.target));
  json::object spec = WithTarget(args.target, "select");
  spec["select_values"] = SelectValues(args.values, facts);
  ActionWish wish{
      .session = args.session, .spec = std::move(spec), .intent = args.target.description};
  CO_TRY_ASSIGN(auto result, co_await context->Act(ctx, std::move(wish)));
  AnswerStyle style{.asked = {{.ref = RefIn(result), .value = ChosenIn(result)}},
                    .quiet = QuietNews::kDrop};
  co_return co_await context->Tell(std::move(ctx), args.session, std::move(result),
                                   std::move(style));
}

FieldArgument ReadField(JsonReader& in) {
  FieldArgument field{.target = ReadNeededTarget(in), .value = ""};
  TextArgument value = ReadTextArgument(in, "value");
  field.value = std::move(value.value);
  field.secret = std::move(value.secret);
  field.kind = in.OptionalEnum("type", kFieldTypes);
  const std::string name = in.OptionalString("name").value_or("");
  if (field.target.description.empty()) field.target.description = name;
  return field;
}

struct FormArguments {
  std::vector<FieldArgument> fields;
  std::string session;
};

FormArguments ReadForm(JsonReader& in) {
  return {.fields = in.Objects("fields", ReadField, {1, kMostFields}), .session = ReadSession(in)};
}

// Fills one field and notes what is then no news.
Task<Result<model::ActionExecutionResult>> FillField(CallContext ctx, ToolContext* context,
                                                     std::string session,
                                                     const FieldArgument* field,
                                                     AnswerStyle* style) {
  CO_TRY_ASSIGN(const auto facts, co_await LookUp(ctx, context, session, field->target));
  CO_TRY_ASSIGN(FieldStep step, StepFor(*field, facts));
  ActionWish wish{.session = std::move(session),
                  .spec = std::move(step.spec),
                  .intent = field->target.description};
  CO_TRY_ASSIGN(auto result, co_await context->Act(std::move(ctx), std::move(wish)));
  if (step.asked.ref.empty()) step.asked.ref = RefIn(result);
  if (auto chosen = ChosenIn(result)) step.asked.value = std::move(chosen);
  style->asked.push_back(std::move(step.asked));
  co_return result;
}

// What was named, as the caller named it.
std::string NameOf(const TargetArgument& target) {
  return target.ref.empty() ? model::Quoted(TextAt(target.fields, "selector")) : target.ref;
}

Task<Result<ToolAnswer>> FillForm(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadForm));
  const std::size_t count = args.fields.size();
  AnswerStyle style{.head = fmt::format("ok {} fields", count), .quiet = QuietNews::kDrop};
  model::ActionExecutionResult result;
  std::size_t done = 0;
  for (const FieldArgument& field : args.fields) {
    call.report(fmt::format("field {} of {}", done + 1, count));
    auto filled = co_await FillField(ctx, context, args.session, &field, &style);
    if (filled) {
      result = *std::move(filled);
    } else {
      result.failure = model::ActionFailure::Of(filled.error());
    }
    if (result.failure) break;
    ++done;
    if (done < count) std::ranges::move(Remarks(result), std::back_inserter(style.more));
  }
  if (result.failure) {
    style.more.push_back(
        {model::Weight::kIdentity, fmt::format("{} of {} fields done, stopped at {}", done, count,
                                               NameOf(args.fields[done].target))});
  }
  co_return co_await context->Tell(std::move(ctx), args.session, std::move(result),
                                   std::move(style));
}

struct DialogArguments {
  bool accept = false;
  std::optional<std::string> prompt_text;
  std::string session;
};

Task<Result<ToolAnswer>> HandleDialog(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, [](JsonReader& in) {
                  return DialogArguments{in.Bool("accept"), in.OptionalString("promptText"),
                                         ReadSession(in)};
                }));
  json::object dialog{{"accept", args.accept}};
  if (args.prompt_text) dialog["prompt_text"] = *args.prompt_text;
  ActionWish wish{.session = args.session,
                  .spec = {{"action_type", "handle_dialog"}, {"dialog", std::move(dialog)}}};
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish), {});
}

struct UploadArguments {
  TargetArgument target;
  std::vector<std::string> paths;
  std::string session;
};

UploadArguments ReadUpload(JsonReader& in) {
  UploadArguments args{.target = ReadTargetArgument(in),
                       .paths = in.Strings("paths", {1, model::kMaxFiles}),
                       .session = ReadSession(in)};
  for (std::size_t i = 0; i < args.paths.size(); ++i) {
    if (args.paths[i].contains('\0'))
      in.Reject(fmt::format("paths[{}]", i), "must not contain NUL");
  }
  return args;
}

// Artifacts are named by their ids; everything else is a file in the inbox.
Result<json::array> RegisterFiles(ToolContext& context, const UploadArguments& args) {
  TRY_ASSIGN(const ToolRooms rooms, context.Rooms());
  const browser::ArtifactOwner owner{.tenant = rooms.caller.tenant,
                                     .workflow = context.WorkflowOf(args.session)};
  json::array files;
  for (const std::string& path : args.paths) {
    std::string id = path;
    if (!browser::IsArtifactId(path)) {
      TRY_ASSIGN(const auto record,
                 rooms.runtime->parts().artifacts.RegisterFromInbox(owner, path));
      id = record.id;
    }
    files.push_back(json::object{{"artifact_id", id}});
  }
  return files;
}

Task<Result<ToolAnswer>> FileUpload(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadUpload));
  json::object spec = WithTarget(args.target, "upload");
  CO_TRY_ASSIGN(spec["files"], RegisterFiles(*context, args));
  ActionWish wish{
      .session = args.session, .spec = std::move(spec), .intent = args.target.description};
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish),
                                         {.quiet = QuietNews::kDrop});
}

Result<FieldStep> ToggleStep(const FieldArgument& field, const ElementFacts& facts) {
  const bool is_on = field.value == "true";
  if (!is_on && field.value != "false")
    return Fail(ErrorCode::kInvalidArgument, "value: this field takes true or false");
  return FieldStep{.spec = WithTarget(field.target, is_on ? "check" : "uncheck"),
                   .asked = {.ref = facts.ref, .checked = is_on}};
}

FieldStep ListStep(const FieldArgument& field, const ElementFacts& facts) {
  FieldStep step{.spec = WithTarget(field.target, "select"),
                 .asked = {.ref = facts.ref, .value = field.value}};
  step.spec["select_values"] = SelectValues({field.value}, facts);
  return step;
}

FieldStep TextStep(const FieldArgument& field, const ElementFacts& facts) {
  const TextArgument text{field.value, field.secret};
  FieldStep step{.spec = WithTarget(field.target, "fill"),
                 .asked = {.ref = facts.ref, .value = text.known()}};
  step.spec["text"] = text.ToJson();
  return step;
}

}  // namespace

json::array SelectValues(const std::vector<std::string>& wanted, const ElementFacts& facts) {
  json::array values;
  for (const std::string& want : wanted) {
    const bool is_label =
        facts.options.empty() || std::ranges::find(facts.options, want) != facts.options.end();
    values.push_back(json::object{{is_label ? "label" : "value", want}});
  }
  return values;
}

Result<FieldStep> StepFor(const FieldArgument& field, const ElementFacts& facts) {
  const FieldKind kind = facts.ref.empty() ? field.kind.value_or(facts.kind) : facts.kind;
  if (field.secret && kind != FieldKind::kText)
    return Fail(ErrorCode::kInvalidArgument, "value: a secret is only for a field of text");
  switch (kind) {
    case FieldKind::kToggle:
      return ToggleStep(field, facts);
    case FieldKind::kList:
      return ListStep(field, facts);
    case FieldKind::kText:
      break;
  }
  return TextStep(field, facts);
}

std::vector<ToolRow> FormTools() {
  using enum agent::SideEffect;
  using C = model::Capability;
  const json::object target = TextSchema();
  return {
      {{"browser_type", "Type", "Fill a text into a field.", kCoreGroup, kWrite,
        InputSchema({{"target", target, kRequired},
                     {"text", TypedSchema(), kRequired},
                     {"submit", FlagSchema()},
                     {"slowly", FlagSchema()}})},
       Type,
       Acting(C::kWrite, kTypeTime)},
      {{"browser_fill_form", "Fill a form", "Fill many fields in one call.", kCoreGroup, kWrite,
        InputSchema({{"fields",
                      ListSchema({{"target", target, kRequired},
                                  {"value", TypedSchema("text, option, or true/false"), kRequired},
                                  {"type", ChoiceSchema(kFieldTypeNames)}}),
                      kRequired}})},
       FillForm,
       Acting(C::kWrite, kFormTime)},
      {{"browser_press_key", "Press a key", "Press a key such as Enter or Control+A.", kCoreGroup,
        kWrite, InputSchema({{"key", TextSchema(), kRequired}, {"target", target}})},
       PressKey,
       Acting(C::kInteract)},
      {{"browser_select_option", "Select", "Select options of a list by label or value.",
        kCoreGroup, kWrite,
        InputSchema({{"target", target, kRequired}, {"values", TextsSchema(), kRequired}})},
       SelectOption,
       Acting(C::kWrite)},
      {{"browser_file_upload", "Upload files",
        "Give files of the inbox to a file field, or to the open chooser.", kCoreGroup, kWrite,
        InputSchema({{"target", target}, {"paths", TextsSchema(), kRequired}})},
       FileUpload,
       Acting(C::kUpload)},
      {{"browser_handle_dialog", "Answer a dialog", "Accept or dismiss the open dialog.",
        kCoreGroup, kWrite,
        InputSchema({{"accept", FlagSchema(), kRequired}, {"promptText", TextSchema()}})},
       HandleDialog,
       Acting(C::kInteract)},
  };
}

}  // namespace falconer::api
