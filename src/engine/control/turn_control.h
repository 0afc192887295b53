#pragma once
// TurnControl: what governs one turn from its first input until the next turn begins: its token and
// its policy, asked about the element it is about to meet and about every request that is about to
// leave. Elements and requests come from the page: they can call for more, never for less. On the
// session's event loop.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "browser/network/request_rule.h"
#include "engine/approvals/approval_draft.h"
#include "kernel/gates/admitted.h"
#include "model/action/action.h"
#include "policy/risk/risk.h"

namespace falconer::engine {

// On whose behalf, by what right, and what for.
struct ControlGrounds {
  ApprovalAsker asker;
  policy::RiskAction action;
  std::string contract_digest;
  std::shared_ptr<const kernel::AdmittedToken> token;
  std::shared_ptr<const kernel::AdmittedPolicy> policy;  // null when there is none
  policy::ProofRule proof = policy::ProofRule::kNotAsked;
  // What changes something and is of this risk is asked about, whatever the policy says; nothing
  // for never.
  std::optional<model::RiskLevel> ask_from;
};

// What was decided about one element or one request.
struct Ruling {
  enum class Effect : std::uint8_t { kAllow, kRefuse, kAsk };
  Effect effect = Effect::kAllow;
  policy::Risk risk;
  // What it was decided by, and under which rules.
  model::PolicyFacts facts;
  std::vector<policy::RuleSet> sets;
  std::string rule;            // that decided; "" when none did
  std::optional<Error> error;  // of kRefuse
  ApprovalGrounds grounds;     // of kAsk
  // Whether it changes something outside of the page, as far as anybody can tell.
  bool has_effect = false;
  // What of the token it uses up.
  model::CapabilitySet used_once;
  // What the token was asked for.
  policy::TokenDemand demand;
};

inline constexpr EnumName<Ruling::Effect> kRulingEffects[] = {
    {Ruling::Effect::kAllow, "allow"},
    {Ruling::Effect::kRefuse, "refuse"},
    {Ruling::Effect::kAsk, "ask"},
};

class TurnControl {
 public:
  // The clock must outlive this. The grounds MUST have a token.
  TurnControl(ControlGrounds grounds, const Clock& clock);

  // The action itself, before it begins: for those that are asked about beforehand.
  Ruling JudgeAction(const std::string& page_url, const std::string& target_url) const;
  // An element the action is about to meet. What a person must approve is not asked about here:
  // whatever it then sends is held, so that exactly that is approved.
  Ruling JudgeElement(model::ElementFacts element, const std::string& page_url);
  // A request that is about to leave.
  Ruling JudgeRequest(const browser::RequestFacts& request) const;

  // Puts a ruling on record, under an id of its own, which is returned.
  std::string Note(std::string_view about, const std::string& url, const Ruling& ruling);
  // What made the turn fail: the first thing with an effect that was refused.
  void Failed(Error error);
  const std::optional<Error>& failure() const { return failure_; }
  // All that is on record.
  const json::array& rulings() const { return rulings_; }

  const ControlGrounds& grounds() const { return grounds_; }

 private:
  struct Question;
  Ruling Judge(Question question) const;
  void AskToken(const Question& question, Ruling& ruling) const;
  void AskPolicy(Ruling& ruling) const;
  model::PolicyFacts FactsFor(const Question& question, const policy::Risk& risk) const;

  ControlGrounds grounds_;
  const Clock& clock_;
  // The element that was met calls for approval of what it sends.
  std::optional<ApprovalGrounds> due_;
  // What of the token it uses up by what it sends.
  model::CapabilitySet due_once_;
  std::optional<Error> failure_;
  json::array rulings_;
  std::uint64_t numbers_ = 0;
};

// What a risk is judged by of an action, as far as its caller says.
policy::RiskAction ActionToJudge(const model::ActionSpec& spec);
// The actions that are asked about before they begin, since what they do is in no request.
bool IsAskedFirst(model::ActionType action);

}  // namespace falconer::engine
