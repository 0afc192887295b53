#include "predict/workflows/step_writer.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "model/url.h"
#include "predict/signature.h"
#include "predict/workflows/address_template.h"
#include "predict/workflows/recorded_guards.h"
#include "predict/workflows/step_check.h"
#include "predict/workflows/step_guards.h"
#include "predict/workflows/step_parameters.h"
#include "predict/workflows/step_targets.h"

namespace falconer::predict {
namespace {

using model::ActionSpec;
using model::ActionType;

std::string InBraces(std::string_view name) {
  return fmt::format("{{{}}}", name);
}

// What its field is called; what a page repeats of what was typed is none of it.
std::string FieldNameOf(const RecordedStep& done, const RecordedTexts& texts) {
  if (!done.element) return FieldParameter(nullptr);
  const model::Fingerprint open = texts.Element(*done.element);
  return FieldParameter(&open);
}

constexpr std::string_view kSecretFills[] = {"current-password", "new-password", "one-time-code",
                                             "cc-csc"};

// A field whose text is nobody else's business, whoever typed it.
bool KeepsItsText(const RecordedStep& done) {
  if (done.is_secret || !done.element) return done.is_secret;
  const auto fill = done.element->attributes.find("autocomplete");
  const bool is_secret_fill =
      fill != done.element->attributes.end() &&
      std::ranges::find(kSecretFills, fill->second) != std::end(kSecretFills);
  return done.element->type == "password" || is_secret_fill;
}

constexpr std::size_t kMaxSecretWords = 100;

// "SHOP_EXAMPLE_PASSWORD": a name that a secret can be given, and that tells what it is for.
std::string SecretNameFor(const RecordedStep& done, const RecordedTexts& texts) {
  const std::string host = model::SplitUrl(done.url_before).host;
  return ToUpper(JoinedWords(host + " " + FieldNameOf(done, texts), '_', kMaxSecretWords));
}

// A tab, a frame and a ref are those of one session; what the values are comes afterwards.
ActionSpec Bare(const ActionSpec& spec) {
  ActionSpec bare = spec;
  bare.tab_id = TabId();
  bare.timeout.reset();
  bare.referrer.reset();
  bare.text.reset();
  bare.select_values.clear();
  bare.files.clear();
  bare.url.reset();
  bare.js_argument.reset();
  bare.drag_to.reset();
  const bool is_point = spec.target && spec.target->point && spec.target->Selectors().empty();
  if (!is_point) bare.target.reset();
  return bare;
}

constexpr ActionType kWithEffects[] = {
    ActionType::kClick,  ActionType::kDoubleClick, ActionType::kPress,    ActionType::kDrag,
    ActionType::kSubmit, ActionType::kPurchase,    ActionType::kGoBack,   ActionType::kGoForward,
    ActionType::kSelect, ActionType::kCheck,       ActionType::kNavigate, ActionType::kNewTab,
};

bool OpensPage(const RecordedStep& done) {
  return done.spec.type == ActionType::kNavigate || done.spec.type == ActionType::kNewTab;
}

// The page that the action led to, where it was another one.
std::string LeadsTo(const RecordedStep& done, std::span<const std::string> typed) {
  const ActionType type = done.spec.type;
  if (std::ranges::find(kWithEffects, type) == std::end(kWithEffects)) return "";
  const std::string before = PagePattern(done.url_before, typed);
  if (!OpensPage(done) && before == PagePattern(done.url_after, typed)) return "";
  return AddressGlob(done.url_after, typed);
}

}  // namespace

std::string StepWriter::NewParameter(const std::string& name, std::string_view typed) {
  std::string given = parameter_names_.Take(name.empty() ? "text" : name);
  out_.parameters.push_back({.name = given});
  texts_.Add(typed, given);
  return given;
}

void StepWriter::PutSecret(json::object& spec, const RecordedStep& done) {
  json::object& secret = spec["text"].emplace_object();
  const auto& text = done.spec.text;
  const bool is_named = text && text->is_secret();
  secret["secret"] = is_named ? text->value : SecretNameFor(done, texts_);
  if (is_named && !text->field.empty()) secret["field"] = text->field;
  if (text && !is_named) texts_.AddSecret(text->value);
}

void StepWriter::PutTyped(json::object& spec, const RecordedStep& done) {
  const auto& text = done.spec.text;
  if (!text && !done.is_secret) return;
  if (KeepsItsText(done) || text->is_secret()) return PutSecret(spec, done);
  spec["text"] = InBraces(NewParameter(FieldNameOf(done, texts_), text->value));
}

// By their labels: those are what people know. What was chosen by its value is found by that only.
void StepWriter::PutChoices(json::object& spec, const RecordedStep& done) {
  if (done.spec.select_values.empty()) return;
  json::array& values = spec["select_values"].emplace_array();
  for (const model::SelectValue& one : done.spec.select_values) {
    const std::string name =
        NewParameter(FieldNameOf(done, texts_), one.label.value_or(one.value.value_or("")));
    texts_.Add(one.value.value_or(""), name);
    const bool is_by_value = one.value && !one.label;
    values.push_back({{is_by_value ? "value" : "label", InBraces(name)}});
  }
}

void StepWriter::PutFiles(json::object& spec, const RecordedStep& done) {
  if (done.spec.type != ActionType::kUpload) return;
  json::array& files = spec["files"].emplace_array();
  const std::size_t count = std::max<std::size_t>(done.spec.files.size(), 1);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_told = i < done.spec.files.size();
    const model::UploadFile file = is_told ? done.spec.files[i] : model::UploadFile();
    const std::string name =
        NewParameter(FieldNameOf(done, texts_), file.path.empty() ? file.artifact_id : file.path);
    files.push_back({{"path", InBraces(name)}});
  }
}

void StepWriter::PutAddress(json::object& spec, const RecordedStep& done) {
  if (!done.spec.url) return;
  const auto parameter = [this](std::string_view name, std::string_view value) {
    return NewParameter(ParameterWords(name), value);
  };
  const std::string url = OpenedAddress(*done.spec.url, texts_, parameter);
  spec["url"] = url.empty() ? std::string(model::kBlankUrl) : url;
}

void StepWriter::PutTargets(json::object& spec, const RecordedStep& done) const {
  PutSelectors(spec, SelectorsFor(done, texts_));
  if (!done.spec.drag_to) return;
  const std::vector<std::string> selectors = TemplateSelectors(*done.spec.drag_to, texts_);
  json::object& to = spec["drag_to"].emplace_object();
  if (done.spec.drag_to->point) to = done.spec.drag_to->ToJson();
  if (!selectors.empty()) to["selector"] = selectors.front();
}

json::object StepWriter::SpecOf(const RecordedStep& done) {
  json::object spec = Bare(done.spec).ToJson();
  PutTargets(spec, done);
  PutTyped(spec, done);
  PutChoices(spec, done);
  PutFiles(spec, done);
  PutAddress(spec, done);
  if (json::value* dialog = spec.if_contains("dialog");
      dialog != nullptr && dialog->get_object().contains("prompt_text")) {
    const std::string typed = done.spec.dialog->prompt_text.value_or("");
    dialog->get_object()["prompt_text"] = InBraces(NewParameter("answer", typed));
  }
  return spec;
}

// What the author of a contract asked for, where it can be asked for again.
void StepWriter::PutOwnGuards(WorkflowStep& step, const RecordedStep& done) const {
  const std::string leads_to = LeadsTo(done, texts_.typed());
  PutGuards(step.contract, leads_to);
  json::object own = GuardsOf(done, texts_);
  if (!HasGuard(own)) return;
  WorkflowStep guarded = step;
  guarded.id = "step";
  for (const std::string_view key : kGuardMembers) guarded.contract.erase(key);
  for (auto& member : own) guarded.contract[member.key()] = std::move(member.value());
  if (CheckStep(guarded, out_.parameters, "step")) step.contract = std::move(guarded.contract);
}

void StepWriter::Add(WorkflowStep step) {
  step.intent = IntentOf(step);
  step.id = ids_.Take(IdOf(step));
  step.signature = StepSignature(step);
  out_.steps.push_back(std::move(step));
}

void StepWriter::Begin(const RecordedStep& first) {
  if (OpensPage(first)) return;
  const std::string url = StartAddress(first.url_before, texts_);
  if (url.empty()) return;
  WorkflowStep step{.by = first.by};
  step.contract["action_spec"] = {{"action_type", "navigate"}, {"url", url}};
  PutGuards(step.contract, AddressGlob(first.url_before));
  Add(std::move(step));
}

// What it types is no part of what its own page says, and the guards must not tell it.
void StepWriter::Write(const RecordedStep& done) {
  WorkflowStep step{.by = done.by};
  step.contract["action_spec"] = SpecOf(done);
  const bool is_nowhere = OpensPage(done) || done.spec.type == ActionType::kHandleDialog;
  step.page = is_nowhere ? "" : PagePattern(done.url_before, texts_.typed());
  if (done.element) step.element = texts_.Element(*done.element);
  PutOwnGuards(step, done);
  // What cannot be named without what was typed cannot be done again.
  step.id = "step";
  if (CheckStep(step, out_.parameters, "step")) Add(std::move(step));
}

LearnedWorkflow StepWriter::Take() && {
  for (WorkflowStep& step : out_.steps) {
    if (!step.element) continue;
    for (std::string* text :
         {&step.element->text, &step.element->landmark, &step.element->item, &step.element->before})
      *text = CutTemplate(texts_.MoreText(*text), model::kMaxFingerprintText);
  }
  for (WorkflowParameter& parameter : out_.parameters) {
    const auto step = std::ranges::find_if(out_.steps, [&](const WorkflowStep& one) {
      return std::ranges::count(ParametersIn(one), parameter.name) > 0;
    });
    if (step == out_.steps.end()) continue;
    parameter.about = ElementWords(*step);
    if (parameter.about.empty()) parameter.about = "the address";
  }
  // Those of steps that were left out.
  std::erase_if(out_.parameters, [](const WorkflowParameter& one) { return one.about.empty(); });
  return std::move(out_);
}

}  // namespace falconer::predict
