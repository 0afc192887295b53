#include "policy/rules/policy_question.h"

#include <algorithm>
#include <utility>

namespace falconer::policy {
namespace {

RiskInput MetInput(const model::PolicyFacts& facts, const DescribedThing& thing) {
  RiskInput input;
  if (!thing.label.empty()) {
    input.action = RiskAction{.type = facts.action.value_or(model::ActionType::kClick)};
    input.element = model::ElementFacts{
        .role = "button", .name = thing.label, .tag = "button", .type = "button"};
  }
  if (!thing.method.empty()) {
    input.request =
        model::RequestFacts{.method = thing.method, .url = facts.url, .resource_type = "fetch"};
  }
  return input;
}

}  // namespace

PolicyQuestion QuestionAbout(RuleSet set, model::PolicyFacts facts, const DescribedThing& thing) {
  if (facts.action && facts.capabilities.empty())
    facts.capabilities.Add(model::TraitsOf(*facts.action).capability);
  PolicyQuestion question{.set = set, .facts = std::move(facts), .risk = std::nullopt};
  if (thing.label.empty() && thing.method.empty()) return question;
  const RiskInput input = MetInput(question.facts, thing);
  question.risk = AssessRisk(input);
  const std::optional<model::Money> given = question.facts.amount;
  AddTo(question.facts, *question.risk);
  if (given) question.facts.amount = given;
  question.facts.element = input.element;
  question.facts.request = input.request;
  return question;
}

std::optional<model::Money> AmountIn(std::string_view text) {
  const std::size_t space = std::min(text.find(' '), text.size());
  const auto value = model::ParseTenThousandths(text.substr(0, space));
  const std::string currency(space < text.size() ? text.substr(space + 1) : "");
  if (!value || *value < 0 || !model::IsCurrencyCode(currency)) return std::nullopt;
  return model::Money{.ten_thousandths = *value, .currency = currency};
}

}  // namespace falconer::policy
