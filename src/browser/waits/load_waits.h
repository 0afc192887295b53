#pragma once
// Waiting for documents to load. Everything here wakes on the browser's events.

#include <memory>
#include <string>

#include "browser/frames/page_script.h"
#include "browser/tabs/tab.h"
#include "model/action/load_state.h"

namespace falconer::browser {

// The quiet time after which the network counts as idle.
inline constexpr Duration kNetworkIdleTime = std::chrono::milliseconds(500);

// Waits until the document that `frame` shows has come as far as `state`. kFrameDetached,
// kTabCrashed, kTabClosed, kDialogOpen when it no longer can; kTimeout.
Task<Result<void>> WaitForLoadState(CallContext ctx, std::shared_ptr<Tab> tab,
                                    std::shared_ptr<Frame> frame, model::LoadState state);

// Waits until no request has been under way for `quiet`.
Task<Result<void>> WaitForNetworkIdle(CallContext ctx, std::shared_ptr<Tab> tab, Duration quiet);

// Waits while the main frame has a navigation that was asked for and has not committed: whatever is
// done to the old document now would be lost with it.
Task<Result<void>> WaitForPendingNavigation(CallContext ctx, std::shared_ptr<Tab> tab);

// How many pages that leave while they are looked at are followed.
inline constexpr int kMostPages = 5;

// After a call into `place` failed because its document is gone: waits until that is known here
// too, as the answer may come ahead of the news. Whoever wants to try again looks for its target
// anew.
Task<Result<void>> WaitUntilReplaced(CallContext ctx, std::shared_ptr<Tab> tab, ScriptCall place);

}  // namespace falconer::browser
