#pragma once
// ControlRule: who may leave a session's browser: first the domain rules, then what governs the
// turn that runs, or ran last. One per session.

#include <memory>
#include <vector>

#include "engine/control/turn_control.h"

namespace falconer::engine {

class ControlRule final : public browser::RequestRule {
 public:
  // `domains` may be null: then every host is allowed as far as this rule goes.
  explicit ControlRule(std::shared_ptr<browser::RequestRule> domains)
      : domains_(std::move(domains)) {}

  // From now on requests are put down to this turn.
  void Govern(std::shared_ptr<TurnControl> control) { control_ = std::move(control); }
  const std::shared_ptr<TurnControl>& control() const { return control_; }

  browser::RequestVerdict Decide(const browser::RequestFacts& facts) override;
  std::vector<browser::SocketRule> SocketRules() const override;

 private:
  std::shared_ptr<browser::RequestRule> domains_;
  std::shared_ptr<TurnControl> control_;
};

}  // namespace falconer::engine
