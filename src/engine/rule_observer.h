#pragma once
// RuleObserver: looks at what a rule asks about and says what it saw, in the form that
// model::Judge() reads (described in model/contract/rule_judge.h). It never decides and never
// fails: what could not be seen is said in the observation.

#include <memory>
#include <vector>

#include "browser/frames/navigator.h"
#include "browser/session.h"
#include "engine/action_facts.h"
#include "engine/reveal_secret.h"
#include "model/contract/rule.h"

namespace falconer::engine {

class RuleObserver {
 public:
  // All must outlive the observer.
  RuleObserver(browser::Session& session, browser::Navigator& navigator, ActionFacts& facts,
               const RevealSecret& reveal)
      : session_(session), navigator_(navigator), facts_(facts), reveal_(reveal) {}

  // Before the action: notes where things stand, and begins to keep what `rules` will ask for.
  Task<Result<void>> Begin(CallContext ctx, std::shared_ptr<browser::Tab> tab,
                           const std::vector<model::VerificationRule>* rules);

  // Now, in `tab`. `rule` must outlive the call.
  Task<json::value> Observe(CallContext ctx, std::shared_ptr<browser::Tab> tab,
                            const model::VerificationRule* rule);

 private:
  browser::Session& session_;
  browser::Navigator& navigator_;
  ActionFacts& facts_;
  const RevealSecret& reveal_;
  std::vector<Subscription> kept_bodies_;
};

}  // namespace falconer::engine
