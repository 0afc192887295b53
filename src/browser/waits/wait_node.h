#pragma once
// The parts of an armed wait; used by wait_manager.cc and the files with its leaves.

#include <memory>
#include <vector>

#include "browser/frames/navigator.h"
#include "browser/state/page_reading.h"
#include "model/action/wait.h"
#include "model/action/wait_outcome.h"

namespace falconer::browser {

// One condition of the tree while it is being waited for.
struct WaitNode {
  model::WaitCondition condition;
  std::vector<std::unique_ptr<WaitNode>> children;
  model::WaitOutcome outcome;
  bool is_decided = false;
  // A leaf that is looked at once and not waited for.
  bool looks_once = false;
  // For things that happen: what listens, and whether it has happened since the arming.
  std::vector<Subscription> traps;
  bool has_happened = false;
  // For a state change: the page as it was, and as it was found to have changed.
  PageMark before;
  std::optional<PageReading> reading;
};

// What leaves work with. Outlives every node.
struct WaitScope {
  Session& session;
  Navigator& navigator;
  std::shared_ptr<Tab> tab;
  // The page as it was read last; empty when nobody did.
  PageMark seen;
  // The page as somebody else found it to have changed since.
  std::optional<PageReading> noticed;
};

// Sets the traps for things that happen.
void SetTraps(const WaitScope& scope, WaitNode& node);

// Notes that the condition came true.
void Satisfy(WaitNode& node, json::value observed);

// Waits until the leaf is so, as the driver sees it (address, load state, network, frames).
Task<Result<json::value>> WaitInDriver(CallContext ctx, WaitScope* scope, WaitNode* node);
// Waits until the leaf is so, as the page sees it; follows the page through navigations.
Task<Result<json::value>> WaitInPage(CallContext ctx, WaitScope* scope, WaitNode* node);
// Takes the picture that a state change is measured against.
Task<Result<void>> TakeBaseline(CallContext ctx, WaitScope* scope, WaitNode* node);

}  // namespace falconer::browser
