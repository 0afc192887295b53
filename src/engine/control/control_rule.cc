#include "engine/control/control_rule.h"

#include <utility>

#include "engine/control/denial.h"
#include "kernel/gates/token_gate.h"

namespace falconer::engine {
namespace {

using browser::RequestVerdict;

// Every socket that gets this far.
constexpr std::string_view kEverySocket[] = {"ws://*:*/*", "wss://*:*/*"};

// The word that goes with a refusal: the token's own, or that of the policy.
std::string ReasonOf(const Error& error) {
  return error.code() == ErrorCode::kPolicyDenied ? "policy_denied" : kernel::TokenReason(error);
}

}  // namespace

RequestVerdict ControlRule::Decide(const browser::RequestFacts& facts) {
  if (domains_) {
    RequestVerdict verdict = domains_->Decide(facts);
    if (!verdict.is_allowed() || !control_) return verdict;
  }
  if (!control_) return {};
  const Ruling ruling = control_->JudgeRequest(facts);
  if (ruling.effect == Ruling::Effect::kRefuse) {
    const std::string id = control_->Note("request", facts.url, ruling);
    const bool is_page = facts.use != browser::RequestUse::kSubresource;
    if (ruling.has_effect || is_page) control_->Failed(WithDenial(*ruling.error, id));
    return RequestVerdict::Refuse(ruling.rule, ReasonOf(*ruling.error));
  }
  if (ruling.effect == Ruling::Effect::kAsk)
    return RequestVerdict::Hold(ruling.rule, "approval_needed");
  // What may be used once is used up before it leaves, which takes a moment.
  if (!ruling.used_once.empty()) return RequestVerdict::Hold("", "used_once");
  return {};
}

std::vector<browser::SocketRule> ControlRule::SocketRules() const {
  if (domains_) return domains_->SocketRules();
  std::vector<browser::SocketRule> rules;
  for (const std::string_view every : kEverySocket)
    rules.push_back({std::string(every), browser::SocketRule::Effect::kAllow});
  return rules;
}

}  // namespace falconer::engine
