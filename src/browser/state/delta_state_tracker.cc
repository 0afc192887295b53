#include "browser/state/delta_state_tracker.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace falconer::browser {

Result<model::StateDelta> DeltaStateTracker::Track(const TabId& tab, model::StructuredState next) {
  const model::StructuredState* last = Last(tab);
  next.tab_id = tab.value();
  next.revision = last == nullptr ? 1 : last->revision + 1;
  next.prev_state_id = last == nullptr ? "" : last->state_id;
  TRY(model::Seal(next));
  History& history = tabs_[tab];
  history.states.push_back(std::move(next));
  const std::size_t count = history.states.size();
  const bool has_base = count > 1 && !history.needs_full;
  model::StateDelta delta = Send(history, has_base ? &history.states[count - 2] : nullptr);
  if (count > std::max<std::size_t>(options_.history, 1)) history.states.pop_front();
  return delta;
}

Result<model::StateDelta> DeltaStateTracker::Since(const TabId& tab,
                                                   std::string_view base_state_id) {
  const auto found = tabs_.find(tab);
  if (found == tabs_.end()) {
    return Fail(ErrorCode::kNotFound, "tab " + tab.value() + " has no state yet");
  }
  return Send(found->second, Base(found->second, base_state_id));
}

const model::StructuredState* DeltaStateTracker::Last(const TabId& tab) const {
  const auto found = tabs_.find(tab);
  return found == tabs_.end() ? nullptr : &found->second.states.back();
}

void DeltaStateTracker::RequestResync(const TabId& tab) {
  if (const auto found = tabs_.find(tab); found != tabs_.end()) found->second.needs_full = true;
}

void DeltaStateTracker::Forget(const TabId& tab) {
  tabs_.erase(tab);
}

// Several states may share an id when only places changed; the newest is the one a reader has.
const model::StructuredState* DeltaStateTracker::Base(const History& history,
                                                      std::string_view state_id) const {
  for (const model::StructuredState& state : history.states | std::views::reverse) {
    if (state.state_id == state_id) return &state;
  }
  return nullptr;
}

model::StateDelta DeltaStateTracker::Send(History& history, const model::StructuredState* base) {
  model::StateDelta delta = model::Diff(base, history.states.back(), options_.limits);
  history.needs_full = delta.truncated;
  return delta;
}

}  // namespace falconer::browser
