#pragma once
// DeltaStateTracker: remembers the last states of each tab and says what changed since. Lives on
// the session's event loop.
//
// When a full state is sent instead of a delta (the resync rule): for the first state of a tab,
// when the reader's base is not remembered, after a delta that was cut, and when nothing of the
// base is left (another document).

#include <cstddef>
#include <deque>
#include <string_view>
#include <unordered_map>

#include "base/ids.h"
#include "model/state/delta.h"

namespace falconer::browser {

class DeltaStateTracker {
 public:
  struct Options {
    model::DeltaLimits limits;
    // States remembered per tab, so that a reader who missed some can still be given a delta.
    std::size_t history = 4;
  };

  explicit DeltaStateTracker(Options options) : options_(options) {}

  // Takes the newest state of a tab: gives it its tab, revision, ids and hashes, and answers with
  // the delta from the one before. Fails as Seal does; nothing is remembered then.
  Result<model::StateDelta> Track(const TabId& tab, model::StructuredState next);

  // The delta from a remembered state to the newest one; the whole state when `base_state_id` is
  // not remembered. kNotFound when the tab has no state.
  Result<model::StateDelta> Since(const TabId& tab, std::string_view base_state_id);

  // The newest state; null when there is none. Valid until the next call that is not const.
  const model::StructuredState* Last(const TabId& tab) const;

  // The next delta of the tab will be its whole state.
  void RequestResync(const TabId& tab);
  void Forget(const TabId& tab);

 private:
  struct History {
    std::deque<model::StructuredState> states;  // oldest first, never empty
    bool needs_full = false;
  };

  const model::StructuredState* Base(const History& history, std::string_view state_id) const;
  model::StateDelta Send(History& history, const model::StructuredState* base);

  Options options_;
  std::unordered_map<TabId, History> tabs_;
};

}  // namespace falconer::browser
