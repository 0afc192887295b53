#pragma once
// TurnControl: what governs one turn from its first input until the next turn begins: its token and
// its policy, asked about the element it is about to meet and about every request that is about to
// leave. Elements and requests come from the page: they can call for more, never for less. On the
// session's event loop.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "browser/network/request_rule.h"
#include "engine/control/asked_action.h"
#include "engine/control/ruling.h"
#include "engine/control/turn_rates.h"
#include "kernel/gates/admitted.h"
#include "model/action/action.h"

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
  // Limits of the policy under which the turn was counted before it was opened.
  std::vector<std::string> counted = {};
  // For people who are asked before the action begins.
  ActionTold told = {};
  // When the session began.
  std::optional<WallTime> began = {};
};

// What people have approved and has left.
struct ApprovedRequest {
  std::string digest;
  std::string url;
  ApprovalGrounds grounds;
};

class TurnControl {
 public:
  // The clock must outlive this. The grounds MUST have a token.
  TurnControl(ControlGrounds grounds, const Clock& clock);

  // The action itself, before it begins: for those that are asked about beforehand.
  Ruling JudgeAction(const std::string& page_url, const std::string& target_url) const;
  // An element the action is about to meet. What a person must approve is not asked about here:
  // whatever it then sends is held, so that exactly that is approved.
  Ruling JudgeElement(model::ElementFacts element);
  // A request that is about to leave. `approved` is the one that a server answered by sending the
  // browser on to here; null when nobody was asked about it.
  Ruling JudgeRequest(const browser::RequestFacts& request,
                      const ApprovedRequest* approved = nullptr) const;

  // What elements of the turn before called for, and was never sent, is due with this one's
  // requests.
  void Inherit(const TurnControl& before);
  // A request that was held is taken up as ruled.
  void Take(const Ruling& of_request);

  // Puts a ruling on record, under an id of its own, which is returned.
  std::string Note(const Ruling& ruling);
  // Whether the policy's limits must be counted before what was ruled on happens.
  bool MustCount(const Ruling& ruling) const;
  // It happens, and needs no counting.
  void Pass(const Ruling& ruling);
  // Counts it; what was found goes on record with the ruling of this id. kPolicyRateLimit when a
  // limit is reached. Book and ruling must outlive the call.
  Task<Result<void>> Count(CallContext ctx, kernel::RateBook* book, const Ruling* ruling,
                           std::string id);
  // What was ruled under this id ended otherwise: goes on record with it.
  void NoteEnd(const std::string& id, const Error& why);
  // The turn is over; what its pages still send is put down to it until the next one begins.
  void End() { is_over_ = true; }
  bool is_over() const { return is_over_; }
  // What made the turn fail: the first thing with an effect that was refused.
  void Failed(Error error);
  const std::optional<Error>& failure() const { return failure_; }
  // Cancelled with the first failure.
  CancelToken refused() const { return refused_.token(); }
  // All that is on record.
  const json::array& rulings() const { return rulings_; }

  const ControlGrounds& grounds() const { return grounds_; }

 private:
  RulingLaw Law() const;
  RulingCase::Again WhyAgain(const RulingCase& asked, const ApprovedRequest* approved) const;
  void TellOf(const Ruling& ruling, const std::string& id);
  void NoteRates(const std::string& id, const kernel::RateTaken& taken);
  // The case as far as the turn and the clock tell; whoever judges adds where it is.
  RulingCase CaseOf(RulingCase::About about, const policy::RiskInput& input) const;

  ControlGrounds grounds_;
  const Clock& clock_;
  // What the elements that were met call for, here and in the turns before.
  DueWithRequests due_;
  DueWithRequests owed_;
  bool is_met_ = false;
  bool has_bought_ = false;
  TurnRates rates_;
  std::optional<Error> failure_;
  CancelSource refused_;
  json::array rulings_;
  // Who is to hear of these has been told.
  std::set<std::tuple<std::string, std::string, std::vector<std::string>>> told_of_;
  std::uint64_t numbers_ = 0;
  bool is_over_ = false;
};

// What a risk is judged by of an action: what its caller says, and the question of the dialog that
// is open.
policy::RiskAction ActionToJudge(const model::ActionSpec& spec, std::string question);
// The actions that are asked about before they begin, since what they do is in no request.
bool IsAskedFirst(model::ActionType action);

}  // namespace falconer::engine
