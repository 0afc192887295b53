#include "engine/control/control_rule.h"

#include <algorithm>
#include <utility>

#include "engine/control/denial.h"
#include "kernel/gates/token_gate.h"

namespace falconer::engine {
namespace {

using browser::RequestVerdict;

// Every socket that gets this far.
constexpr std::string_view kEverySocket[] = {"ws://*:*/*", "wss://*:*/*"};

// Most approvals whose redirects are told from others, as many as the browser's hops are.
constexpr std::size_t kMostApproved = 128;

// The word that goes with a refusal: the token's own, or that of the policy.
std::string ReasonOf(const Error& error) {
  return error.code() == ErrorCode::kPolicyDenied ? "policy_denied" : kernel::TokenReason(error);
}

}  // namespace

void ControlRule::Govern(std::shared_ptr<TurnControl> control) {
  if (control && control_) control->Inherit(*control_);
  control_ = std::move(control);
  if (control_) at_the_door_->Govern(control_->grounds());
}

Ruling ControlRule::Judge(const TurnControl& control, const browser::RequestFacts& facts) const {
  const auto first = std::ranges::find(approved_, facts.redirect_of, &ApprovedRequest::digest);
  return control.JudgeRequest(facts, first == approved_.end() ? nullptr : &*first);
}

void ControlRule::Approved(ApprovedRequest request) {
  approved_.push_back(std::move(request));
  if (approved_.size() > kMostApproved) approved_.pop_front();
}

RequestVerdict ControlRule::Decide(const browser::RequestFacts& facts) {
  if (domains_) {
    RequestVerdict verdict = domains_->Decide(facts);
    if (!verdict.is_allowed() || !control_) return verdict;
  }
  if (!control_) return {};
  const Ruling ruling = Judge(*control_, facts);
  if (ruling.effect == Ruling::Effect::kRefuse) {
    const std::string id = control_->Note(ruling);
    const bool is_page = facts.use != browser::RequestUse::kSubresource;
    // What a page sends to be counted is no part of what the action is for.
    const bool is_telemetry = ruling.asked.risk.level == model::RiskLevel::kLow;
    const bool is_missed = ruling.asked.has_effect() && !is_telemetry;
    if (is_missed || is_page) control_->Failed(WithDenial(*ruling.error, id));
    return RequestVerdict::Refuse(ruling.rule, ReasonOf(*ruling.error));
  }
  if (ruling.effect == Ruling::Effect::kAsk)
    return RequestVerdict::Hold(ruling.rule, "approval_needed");
  // What may be used once is used up before it leaves, which takes a moment.
  if (!ruling.used_once.empty()) return RequestVerdict::Hold("", "used_once");
  // So does counting; what cannot be stopped counts with the rest of its turn.
  const bool is_stopped = !facts.resource_type.empty();
  // So does asking whether the token of a turn that is over is still in force.
  const bool changes = ruling.asked.has_effect() || !browser::IsSafeMethod(facts.method);
  if (is_stopped && changes && control_->is_over()) return RequestVerdict::Hold("", "after_turn");
  if (is_stopped && control_->MustCount(ruling)) return RequestVerdict::Hold("", "rate_limit");
  if (is_stopped) control_->Pass(ruling);
  at_the_door_->Let(facts.url);
  return {};
}

std::vector<browser::SocketRule> ControlRule::SocketRules() const {
  if (domains_) return domains_->SocketRules();
  std::vector<browser::SocketRule> rules;
  for (const std::string_view every : kEverySocket)
    rules.push_back({std::string(every), browser::SocketRule::Effect::kAllow});
  return rules;
}

browser::RequestOwner ControlRule::owner() const {
  if (!control_) return {};
  const ApprovalAsker& asker = control_->grounds().asker;
  return {.session = asker.session, .turn = asker.turn};
}

}  // namespace falconer::engine
