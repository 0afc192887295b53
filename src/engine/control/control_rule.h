#pragma once
// ControlRule: who may leave a session's browser: first the domain rules, then what governs the
// turn that runs, or ran last. One per session. What never stops in the browser is judged at the
// way out (ConnectJudge).

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/control/connect_judge.h"

namespace falconer::engine {

class ControlRule final : public browser::RequestRule {
 public:
  // `domains` may be null: then every host is allowed as far as this rule goes. The clock must
  // outlive this, and its judge.
  ControlRule(std::shared_ptr<browser::RequestRule> domains, const Clock& clock)
      : domains_(std::move(domains)), at_the_door_(std::make_shared<ConnectJudge>(clock)) {}

  // From now on requests are put down to this turn.
  void Govern(std::shared_ptr<TurnControl> control);
  // Under this turn, with what people said about the request that led to it.
  Ruling Judge(const TurnControl& control, const browser::RequestFacts& facts) const;
  // People have approved it.
  void Approved(ApprovedRequest request);
  // One that was held goes on.
  void Released(const std::string& url) { at_the_door_->Let(url); }
  const std::shared_ptr<TurnControl>& control() const { return control_; }

  // For the session's EgressDoor.
  std::shared_ptr<const browser::EgressJudge> at_the_door() const { return at_the_door_; }

  browser::RequestVerdict Decide(const browser::RequestFacts& facts) override;
  std::vector<browser::SocketRule> SocketRules() const override;
  browser::RequestOwner owner() const override;

 private:
  std::shared_ptr<browser::RequestRule> domains_;
  std::shared_ptr<TurnControl> control_;
  std::shared_ptr<ConnectJudge> at_the_door_;
  // By digest, the newest last; bounded.
  std::deque<ApprovedRequest> approved_;
};

}  // namespace falconer::engine
