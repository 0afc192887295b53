#pragma once
// TurnWarden: stands between one turn and its effects. The element an action meets is judged before
// its input leaves, people are asked first where they must be, what is held is waited for, and what
// was refused is what the turn ends with.

#include <memory>
#include <string>

#include "engine/control/hold_keeper.h"
#include "model/contract/result.h"

namespace falconer::engine {

class TurnWarden {
 public:
  // From now on the session's requests are put down to this turn. The keeper must outlive this.
  TurnWarden(HoldKeeper& keeper, const Clock& clock, ControlGrounds grounds, CancelToken wanted);

  // Where the action happens and where it leads to, as far as that is known before it begins.
  void At(std::string page_url, std::string target_url);

  // Before anything leaves for an element. kPolicyDenied, kCapabilityMissing, kConstraintViolated.
  Task<Result<void>> Meets(model::ElementFacts met);
  // Before the first thing leaves that can have an effect: asks people about an action of which
  // nothing that leaves would tell enough. Also kApprovalDenied, kApprovalTimeout.
  Task<Result<void>> BeforeEffect(CallContext ctx);
  // Nothing of the turn is held any more.
  Task<void> Settled(CallContext ctx);
  // What was refused is what the turn ends with; what was decided goes on record.
  void Judge(model::ActionExecutionResult& result) const;

 private:
  Result<void> Heed(std::string_view about, const Ruling& ruling);
  Task<Result<void>> Ask(CallContext ctx, Ruling ruling);

  HoldKeeper& keeper_;
  std::shared_ptr<TurnControl> control_;
  std::string page_url_;
  std::string target_url_;
};

}  // namespace falconer::engine
