#pragma once
// Look: what a caller may read of a session without acting on a page. Nothing here leaves a trace
// on the page, and nothing here can act on it; the session is opened under its lease like for a
// contract. What governs an action that reads governs a look too (check_look.h).

#include <string>
#include <vector>

#include "browser/state/page_survey.h"
#include "browser/tabs/console_log.h"
#include "engine/runtime.h"
#include "model/action/target.h"
#include "model/network.h"
#include "model/state/delta.h"
#include "model/state/state.h"

namespace falconer::engine {

struct StateQuestion {
  TabId tab;  // the active one when empty
  model::StateScope scope = model::StateScope::kViewport;
  // Elements to skip, to read on in a long page.
  std::size_t offset = 0;
};

using browser::ProbedTarget;
using browser::ProbeFinding;
using browser::SeenElement;

struct LogQuestion {
  TabId tab;  // the active one when empty
  // Only what came after this; 0 for everything that is kept.
  std::uint64_t since = 0;
};

class Look {
 public:
  // Looks on the caller's behalf, into workflows of his tenant. `runtime` must outlive this.
  Look(Runtime& runtime, Caller caller) : runtime_(runtime), caller_(std::move(caller)) {}

  // All fail as the gates do (kRuntimePaused, kToken..., kCapabilityMissing, kConstraintViolated,
  // kSecurityDomainBlock, kPolicyDenied, kSecurityApprovalRequired), with a denial_id; with
  // kSessionLeaseNotAcquired and as opening a session does; with kTabNotFound; and as reading the
  // page does (kTabCrashed, kTimeout). A page that has become another one meanwhile is asked about
  // again before anything of it is told.

  // The state now. The next delta of the tab starts from it, unless it was only a part of the page
  // (another scope, or an offset).
  Task<Result<model::StructuredState>> State(CallContext ctx, WorkflowId workflow,
                                             StateQuestion question);
  // What changed since a state that was read or reported before; the whole state when that one is
  // no longer remembered. Looks at the page again.
  Task<Result<model::StateDelta>> Since(CallContext ctx, WorkflowId workflow, TabId tab,
                                        std::string base_state_id);
  // The active tab's state as it was last read or reported, without looking again; nothing when it
  // never was.
  Task<Result<std::optional<model::StructuredState>>> Last(CallContext ctx, WorkflowId workflow);
  // Elements anywhere in the page that match the words, best first: {"matches": [...], ...}.
  Task<Result<json::object>> Find(CallContext ctx, WorkflowId workflow, TabId tab,
                                  std::string words, int limit);
  // An element of the active tab, as the page describes it; empty when it is not there now.
  Task<Result<json::object>> Describe(CallContext ctx, WorkflowId workflow, model::Target target);
  // Which of them are on the active tab's page now: one reading for all, as ProbePage does it.
  // kInvalidArgument for more than kMaxProbedTargets.
  Task<Result<std::vector<ProbeFinding>>> Probe(CallContext ctx, WorkflowId workflow,
                                                std::vector<ProbedTarget> targets);
  // What can be acted on in the active tab's page, also out of sight, in document order, at most
  // `most`, with fingerprints.
  Task<Result<std::vector<SeenElement>>> Elements(CallContext ctx, WorkflowId workflow,
                                                  std::size_t most);
  Task<Result<std::vector<browser::TabInfo>>> Tabs(CallContext ctx, WorkflowId workflow);
  Task<Result<std::vector<model::NetworkEvent>>> Network(CallContext ctx, WorkflowId workflow,
                                                         LogQuestion question);
  Task<Result<std::vector<browser::ConsoleEntry>>> Console(CallContext ctx, WorkflowId workflow,
                                                           LogQuestion question);

 private:
  struct Place {
    std::shared_ptr<WorkflowSession> session;
    std::shared_ptr<DriveKit> kit;
    std::shared_ptr<browser::Tab> tab;
    std::string judged;  // the address that was asked about
  };
  CallContext Limited(const CallContext& ctx) const;
  Task<Result<Place>> PlaceOf(CallContext ctx, WorkflowId workflow, TabId tab);
  // The same for what is asked of the page itself: fails at once where that would not answer.
  Task<Result<Place>> PageOf(CallContext ctx, WorkflowId workflow, TabId tab);
  Task<Result<void>> MayEnter(CallContext ctx, browser::SessionKey key, TabId tab,
                              std::string* judged);
  // Before something is read and before it is told.
  Task<Result<void>> MayTell(CallContext ctx, Place* place);

  Runtime& runtime_;
  Caller caller_;
};

}  // namespace falconer::engine
