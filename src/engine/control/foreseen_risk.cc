#include "engine/control/foreseen_risk.h"

#include "engine/control/turn_control.h"
#include "policy/risk/risk.h"

namespace falconer::engine {
namespace {

constexpr std::string_view kOwnNames[] = {"testid", "id", "name"};

std::string AttributeIn(const model::Fingerprint& element, std::string_view name) {
  const auto found = element.attributes.find(std::string(name));
  return found == element.attributes.end() ? "" : found->second;
}

// A fingerprint does not tell the form; a button that sends one, or what stands in one, has one.
std::optional<model::FormFacts> FormAround(const model::Fingerprint& element) {
  const bool sends = element.type == "submit" || element.type == "image";
  if (!sends && !element.landmark.starts_with("form")) return std::nullopt;
  return model::FormFacts{.name = element.landmark, .submit = sends ? element.name : ""};
}

model::ElementFacts FactsOf(const model::Fingerprint& element, const std::string& page_url) {
  model::ElementFacts facts{.role = element.role,
                            .name = element.name,
                            .label = element.label.empty() ? element.text : element.label,
                            .tag = element.tag,
                            .type = element.type,
                            .href = AttributeIn(element, "href"),
                            .page_url = page_url,
                            .frame_url = element.frame,
                            .form = FormAround(element)};
  for (const std::string_view name : kOwnNames) {
    if (facts.identifier.empty()) facts.identifier = AttributeIn(element, name);
  }
  return facts;
}

}  // namespace

model::CapabilitySet ForeseenNeeds(const model::ActionSpec& spec, const model::Fingerprint* element,
                                   const std::string& page_url) {
  policy::RiskInput input{.action = ActionToJudge(spec, "")};
  if (element != nullptr) input.element = FactsOf(*element, page_url);
  model::CapabilitySet needs = policy::AssessRisk(input).capabilities;
  needs.Add(spec.traits().capability);
  return needs;
}

}  // namespace falconer::engine
