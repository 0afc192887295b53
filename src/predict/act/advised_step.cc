#include "predict/act/advised_step.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "predict/act/healer.h"
#include "predict/act/step_contract.h"
#include "predict/signature.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

constexpr std::string_view kRef = "target_eid";
// Ways to name an element other than by what was seen.
constexpr std::string_view kOtherNames[] = {"selector", "selector_candidates", "target",
                                            "target_fid", "drag_to"};
// What may hold something that was typed or chosen by somebody.
constexpr std::string_view kTypedFields[] = {"select_values", "files", "js_argument", "dialog"};
constexpr std::size_t kMostOfId = 48;

std::unexpected<Error> BadAdvice(std::string why) {
  return Fail(ErrorCode::kProviderAnswerInvalid, std::move(why));
}

Result<const engine::SeenElement*> ElementNamed(const std::string& ref,
                                                const std::vector<engine::SeenElement>& seen) {
  if (ref.empty()) return nullptr;
  const auto found = std::ranges::find(seen, ref, &engine::SeenElement::ref);
  if (found == seen.end()) return BadAdvice("target_eid is none of the elements on the page");
  return &*found;
}

// "click-add-to-cart"
std::string IdOf(std::string_view action, std::string_view name) {
  std::string id(action);
  bool is_apart = true;
  for (const char c : name) {
    if (!IsLetterOrDigit(c)) {
      is_apart = true;
      continue;
    }
    if (is_apart) id += '-';
    is_apart = false;
    id += LowerOf(c);
  }
  return id.substr(0, kMostOfId);
}

std::string IntentOf(std::string_view action, const model::Fingerprint* element) {
  if (element == nullptr) return std::string(action);
  return fmt::format("{} {} \"{}\"", action, element->role, element->name);
}

// Nothing but parameters.
bool IsAllParameters(std::string_view text) {
  return std::ranges::all_of(TemplateOf(text), [](const TemplatePart& part) {
    return part.kind == TemplatePart::Kind::kParameter;
  });
}

// What a model makes up is not kept, whatever it is: only its wish to type a parameter is.
bool HoldsNothingTyped(const json::object& spec) {
  for (const std::string_view field : kTypedFields) {
    if (spec.contains(field)) return false;
  }
  const json::value* text = spec.if_contains("text");
  return text == nullptr || !text->is_string() || IsAllParameters(text->get_string());
}

// The step as a document keeps it; false when it cannot be found again by anything that may be
// kept.
bool KeepWith(AdvisedAction& advised, const model::Fingerprint& element,
              const ParameterValues& values) {
  advised.kept.element = NamedFingerprint(element, values);
  const auto selectors = KeptSelectors(element.selectors, advised.kept, values);
  if (selectors.empty()) return false;
  advised.kept.element->selectors = selectors;
  advised.kept = WithSelectors(std::move(advised.kept), selectors);
  return true;
}

std::vector<std::string> ValueTexts(const ParameterValues& values) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : values) texts.push_back(value);
  return texts;
}

}  // namespace

Result<AdvisedAction> AdvisedFrom(const json::object& action_spec,
                                  const std::vector<engine::SeenElement>& seen,
                                  const ParameterValues& values, const std::string& url) {
  for (const std::string_view name : kOtherNames) {
    if (action_spec.contains(name)) return BadAdvice(fmt::format("{} is not asked for", name));
  }
  AdvisedAction out{.ref = TextAt(action_spec, kRef)};
  TRY_ASSIGN(const engine::SeenElement* found, ElementNamed(out.ref, seen));
  json::object spec = action_spec;
  spec.erase(kRef);
  const model::Fingerprint* element = found == nullptr ? nullptr : &found->fingerprint;
  out.kept.contract["action_spec"] = spec;
  out.kept.by = store::DoneBy::kAgent;
  Result<WorkflowStep> bound = Bind(out.kept, values);
  if (!bound) return BadAdvice(bound.error().message());
  out.now = *std::move(bound);
  if (element != nullptr) {
    out.now.element = *element;
    out.now.contract["action_spec"].get_object()[kRef] = out.ref;
  }
  const auto read = model::ActionSpec::FromJson(out.now.contract["action_spec"]);
  if (!read) return BadAdvice(read.error().message());
  const std::vector<std::string> typed = ValueTexts(values);
  const std::string_view action = model::ActionName(read->type);
  out.can_be_kept =
      HoldsNothingTyped(spec) && (element == nullptr || KeepWith(out, *element, values));
  out.kept.intent = IntentOf(action, out.kept.element ? &*out.kept.element : nullptr);
  out.kept.id = IdOf(action, out.kept.element ? out.kept.element->name : "");
  out.kept.signature = SignatureOf({.spec = *read, .element = element, .typed = typed});
  out.kept.page = PagePattern(url, typed);
  out.now.id = out.kept.id;
  out.now.intent = out.kept.intent;
  out.now.signature = out.kept.signature;
  return out;
}

}  // namespace falconer::predict
