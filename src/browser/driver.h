#pragma once
// Driver: performs actions in one session. This is the whole surface that the rooms above use to
// act on a page; it decides nothing about what is allowed.

#include <memory>

#include "browser/actions/input_hooks.h"
#include "browser/frames/navigator.h"
#include "browser/session.h"
#include "model/action/action.h"
#include "model/evidence.h"

namespace falconer::browser {

class Driver {
 public:
  struct Limits {
    Duration action_timeout = std::chrono::seconds(20);
    Duration navigation_timeout = std::chrono::seconds(30);
  };

  // `session` must outlive the driver.
  explicit Driver(Session& session);
  Driver(Session& session, const Limits& limits);

  // Performs one action and reports what was observed. Fails with the cause (see error_codes.h);
  // nothing leaves for the page after the deadline passed or the call was cancelled. `bind` is how
  // long the target may take to be there and ready; no limit of its own when absent.
  Task<Result<model::ActionOutcome>> Perform(CallContext ctx, model::ActionSpec spec,
                                             std::optional<Duration> bind = std::nullopt,
                                             InputHooks hooks = {});

  // Whether the action awaits its input hook only once its target is ready.
  static bool AsksWhenReady(model::ActionType type);

  Session& session() { return session_; }
  Navigator& navigator() { return navigator_; }

 private:
  // The tab an action is for; the new one when it opens one.
  Task<Result<std::shared_ptr<Tab>>> TabFor(CallContext ctx, model::ActionType type, TabId id);

  Session& session_;
  Navigator navigator_;
  Limits limits_;
};

}  // namespace falconer::browser
