#pragma once
// ActingPage: a session's page, as a run sees it and acts on it. Everything that acts is a contract
// like any other.

#include <functional>
#include <string>
#include <vector>

#include "base/async/subscription.h"
#include "engine/look.h"
#include "model/contract/contract.h"
#include "model/contract/result.h"

namespace falconer::predict {

class ActingPage {
 public:
  virtual ~ActingPage() = default;

  // Where the active tab is; "" when there is no page yet.
  virtual std::string Url() const = 0;
  // One finding for each target, in their order.
  virtual Task<Result<std::vector<engine::ProbeFinding>>> Probe(
      CallContext ctx, std::vector<engine::ProbedTarget> targets) = 0;
  virtual Task<Result<std::vector<engine::SeenElement>>> Elements(CallContext ctx) = 0;
  // What came of it; a contract that could not be recorded has failed too.
  virtual Task<model::ActionExecutionResult> Execute(CallContext ctx,
                                                     model::ActionContract contract) = 0;
  // What an action would need if it were carried out here now. `element` may be null.
  virtual model::CapabilitySet NeedsOf(const model::ActionSpec& spec,
                                       const model::Fingerprint* element) const = 0;
  // Opens the way to another host ("https://pay.example/") by the rules of the session's way out,
  // without asking anything of it. Nobody waits for it.
  virtual void Warm(const std::string& origin) = 0;
  // Told whenever it may have changed whether people are asked about something here.
  virtual Subscription OnAsking(std::function<void(bool is_asking)> tell) = 0;
};

}  // namespace falconer::predict
