#pragma once
// Look: what a caller may read of a session without acting on a page. Nothing here leaves a trace
// on the page; the session is opened under its lease like for a contract.

#include <string>
#include <vector>

#include "browser/tabs/console_log.h"
#include "engine/runtime.h"
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

struct LogQuestion {
  TabId tab;  // the active one when empty
  // Only what came after this; 0 for everything that is kept.
  std::uint64_t since = 0;
};

class Look {
 public:
  // `runtime` must outlive this.
  explicit Look(Runtime& runtime) : runtime_(runtime) {}

  // All fail with kSessionLeaseNotAcquired and as opening a session does, with kTabNotFound, and
  // as reading the page does (kTabCrashed, kTimeout).

  // The state now. The next delta of the tab starts from it, unless it was only a part of the page
  // (another scope, or an offset).
  Task<Result<model::StructuredState>> State(CallContext ctx, browser::SessionKey key,
                                             StateQuestion question);
  // What changed since a state that was read or reported before; the whole state when that one is
  // no longer remembered. Looks at the page again.
  Task<Result<model::StateDelta>> Since(CallContext ctx, browser::SessionKey key, TabId tab,
                                        std::string base_state_id);
  // Elements anywhere in the page that match the words, best first: {"matches": [...], ...}.
  Task<Result<json::object>> Find(CallContext ctx, browser::SessionKey key, TabId tab,
                                  std::string words, int limit);
  Task<Result<std::vector<model::NetworkEvent>>> Network(CallContext ctx, browser::SessionKey key,
                                                         LogQuestion question);
  Task<Result<std::vector<browser::ConsoleEntry>>> Console(CallContext ctx, browser::SessionKey key,
                                                           LogQuestion question);

 private:
  struct Place {
    std::shared_ptr<DriveKit> kit;
    std::shared_ptr<browser::Tab> tab;
  };
  CallContext Limited(const CallContext& ctx) const;
  Task<Result<Place>> PlaceOf(CallContext ctx, browser::SessionKey key, TabId tab);

  Runtime& runtime_;
};

}  // namespace falconer::engine
