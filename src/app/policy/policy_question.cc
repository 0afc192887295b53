#include "app/policy/policy_question.h"

#include <fmt/format.h>

#include "app/desk/option_values.h"

namespace falconer::app {
namespace {

std::unexpected<Error> BadOption(std::string_view option, std::string_view value,
                                 std::string_view expected) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} {}: expected {}", option, value, expected));
}

Result<model::CapabilitySet> CapabilitiesOf(const std::vector<std::string>& words) {
  model::CapabilitySet set;
  for (const std::string& word : words) {
    const auto named = model::CapabilitiesNamed(word);
    if (!named) return BadOption("--capability", word, "a capability such as SUBMIT");
    set = set | *named;
  }
  return set;
}

Result<std::optional<model::Money>> AmountGiven(const std::string& text) {
  if (text.empty()) return std::nullopt;
  auto amount = policy::AmountIn(text);
  if (amount) return amount;
  return BadOption("--amount", text, "an amount with its currency, such as \"49.90 USD\"");
}

Result<void> ReadAction(const Arguments& arguments, model::PolicyFacts& facts) {
  TRY_ASSIGN(facts.capabilities, CapabilitiesOf(arguments.capabilities));
  if (arguments.action.empty()) return {};
  facts.action = model::ActionTypeNamed(arguments.action);
  if (!facts.action) {
    return BadOption("--action", arguments.action, "an action such as click or navigate");
  }
  return {};
}

Result<void> ReadTime(const Arguments& arguments, model::PolicyFacts& facts) {
  if (arguments.at.empty()) return {};
  TRY_ASSIGN(const std::int64_t milliseconds, TimeOf("--at", arguments.at));
  facts.now = WallTime(std::chrono::milliseconds(milliseconds));
  return {};
}

}  // namespace

Result<PolicyQuestion> PolicyQuestionOf(const Arguments& arguments, WallTime now) {
  PolicyQuestion question;
  const auto set = ValueIn(policy::kRuleSets, arguments.rule_set);
  if (!set) {
    return BadOption("--rules", arguments.rule_set,
                     "rules, navigate, connect, redirect, download or upload");
  }
  if (!arguments.outcome.empty()) {
    question.expected = ValueIn(policy::kEffects, arguments.outcome);
    if (!question.expected || *question.expected == policy::Effect::kNone) {
      return BadOption("--expect", arguments.outcome, "allow, constrain, require_approval or deny");
    }
  }
  if (arguments.urls.size() > 1) {
    return BadOption("--url", arguments.urls[1], "only one address");
  }
  model::PolicyFacts facts;
  facts.now = now;
  facts.tenant = arguments.tenant;
  facts.agent = arguments.agent;
  facts.agent_tier = arguments.tier;
  facts.page_url = arguments.page;
  if (!arguments.urls.empty()) facts.url = arguments.urls.front();
  TRY_ASSIGN(facts.amount, AmountGiven(arguments.amount));
  TRY(ReadAction(arguments, facts));
  TRY(ReadTime(arguments, facts));
  question.asked = policy::QuestionAbout(*set, std::move(facts),
                                         {.label = arguments.label, .method = arguments.method});
  return question;
}

}  // namespace falconer::app
