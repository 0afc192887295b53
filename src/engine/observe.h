#pragma once
// The observations, one function each. RuleObserver's table says which rule uses which.

#include <memory>

#include "browser/frames/navigator.h"
#include "browser/session.h"
#include "engine/action_facts.h"
#include "engine/reveal_secret.h"
#include "model/contract/rule.h"

namespace falconer::engine {

// What an observation is made from. Everything outlives the call.
struct ObserveScope {
  browser::Session& session;
  browser::Navigator& navigator;
  const ActionFacts& facts;
  std::shared_ptr<browser::Tab> tab;
  const model::VerificationRule& rule;
  // The value of a secret, for the document it is compared in; empty when there are none.
  const RevealSecret& reveal;
};

using Observation = Task<Result<json::value>>;

// In the page. Secrets are compared there, and not told.
Observation ObserveSecret(CallContext ctx, const ObserveScope* scope);
Observation ObserveElements(CallContext ctx, const ObserveScope* scope);
Observation ObserveUrl(CallContext ctx, const ObserveScope* scope);
Observation ObserveVisual(CallContext ctx, const ObserveScope* scope);
// What the action brought about.
Observation ObserveNetwork(CallContext ctx, const ObserveScope* scope);
Observation ObserveBodies(CallContext ctx, const ObserveScope* scope);
Observation ObserveFiles(CallContext ctx, const ObserveScope* scope);
Observation ObserveCookies(CallContext ctx, const ObserveScope* scope);
Observation ObserveConsole(CallContext ctx, const ObserveScope* scope);
Observation ObserveErrors(CallContext ctx, const ObserveScope* scope);
Observation ObserveInvariant(CallContext ctx, const ObserveScope* scope);
Observation ObserveStateHash(CallContext ctx, const ObserveScope* scope);

// A small picture of the tab's viewport.
Task<Result<GrayImage>> PictureOf(CallContext ctx, std::shared_ptr<browser::Tab> tab);

}  // namespace falconer::engine
