#pragma once
// EventHub: tells any number of subscribers, in the order they came. Subscribing and unsubscribing
// while an event is being told is allowed; a subscriber that left hears nothing more.

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/async/subscription.h"

namespace falconer {

template <typename... Args>
class EventHub {
 public:
  using Handler = std::function<void(Args...)>;

  EventHub() : state_(std::make_shared<State>()) {}

  Subscription Subscribe(Handler handler) {
    const auto id = ++state_->last_id;
    state_->slots.push_back({id, std::make_shared<Handler>(std::move(handler))});
    // The hub may die first: the subscription then has nothing to do.
    return Subscription([weak = std::weak_ptr<State>(state_), id] {
      if (auto state = weak.lock())
        std::erase_if(state->slots, [id](const Slot& s) { return s.id == id; });
    });
  }

  void Emit(Args... args) const {
    const auto keep_alive = state_;
    const auto last = keep_alive->last_id;
    for (std::uint64_t id = 0; const auto handler = NextAfter(*keep_alive, id, last);)
      (*handler)(args...);
  }

  bool empty() const { return state_->slots.empty(); }

 private:
  struct Slot {
    std::uint64_t id;
    std::shared_ptr<Handler> handler;
  };
  struct State {
    std::uint64_t last_id = 0;
    std::vector<Slot> slots;
  };

  // The first handler with an id in (id, last]; ids rise, so this survives changes to the list.
  static std::shared_ptr<Handler> NextAfter(const State& state, std::uint64_t& id,
                                            std::uint64_t last) {
    for (const Slot& slot : state.slots) {
      if (slot.id <= id || slot.id > last) continue;
      id = slot.id;
      return slot.handler;
    }
    return nullptr;
  }

  std::shared_ptr<State> state_;
};

}  // namespace falconer
