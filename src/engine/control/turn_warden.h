#pragma once
// TurnWarden: stands between one turn and its effects. The element an action meets is judged before
// its input leaves, people are asked first where they must be, what is held is waited for, and what
// was refused is what the turn ends with.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/control/hold_keeper.h"
#include "model/contract/result.h"

namespace falconer::engine {

class TurnWarden {
 public:
  // Where the tab is now.
  using PageUrl = std::function<std::string()>;

  // From now on the session's requests are put down to this turn. The keeper must outlive this.
  TurnWarden(HoldKeeper& keeper, const Clock& clock, ControlGrounds grounds, CancelToken wanted);

  // Where the action leads to, when it says so itself.
  void LeadsTo(std::string target_url) { target_url_ = std::move(target_url); }

  // Before anything leaves for an element. kPolicyDenied, kCapabilityMissing, kConstraintViolated,
  // kPolicyRateLimit.
  Task<Result<void>> Meets(CallContext ctx, model::ElementFacts met);
  // Before the first thing of an attempt leaves: judges the action itself if it met no element, or
  // if nothing that leaves would tell enough of it, and asks people about it where they must be
  // asked. Once it was allowed at a place, it is for every further attempt there. Also
  // kApprovalDenied, kApprovalTimeout.
  Task<Result<void>> BeforeAttempt(CallContext ctx, PageUrl page_url);
  // Cancelled when something of the turn is refused.
  CancelToken refused() const { return control_->refused(); }
  // Nothing of the turn is held any more.
  Task<void> Settled(CallContext ctx);
  // What was refused is what the turn ends with; what was decided goes on record.
  void Judge(model::ActionExecutionResult& result) const;

 private:
  // Puts it on record: its id, or its refusal.
  Result<std::string> Heed(const Ruling& ruling);
  Task<Result<void>> Ask(CallContext ctx, Ruling ruling);
  // What the action is judged by, with the tab there.
  const std::string& Place(const std::string& page_url) const {
    return target_url_.empty() ? page_url : target_url_;
  }
  // Whether pages of the session talk to their own site in a way that nothing can be held.
  bool HasOpenSocket() const;
  Task<Result<void>> Count(CallContext ctx, const Ruling* ruling, std::string id);

  HoldKeeper& keeper_;
  std::shared_ptr<TurnControl> control_;
  // Where the tab was when the last of it was judged.
  std::string page_url_;
  std::string target_url_;
  // The element that was met last, for people who are asked.
  std::optional<model::ElementFacts> met_;
  // An element was judged since the last attempt.
  bool has_met_ = false;
  // What it calls for must be approved before it is touched.
  std::optional<Ruling> asked_first_;
  // Where the action itself was judged and, where people must be asked, approved.
  std::optional<std::string> allowed_at_;
};

}  // namespace falconer::engine
