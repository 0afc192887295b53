#pragma once
// ChangeFeed: tells clients that what is offered to them has changed. One feed serves any number of
// sessions, on one loop.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/async/event_hub.h"
#include "model/enum_set.h"

namespace falconer::api {

enum class OfferChange : std::uint8_t {
  kTools,      // the list of tools
  kPrompts,    // the list of prompts
  kResources,  // the list of resources
  kResource,   // what one resource holds
};
using OfferChanges = model::EnumSet<OfferChange>;

class ChangeFeed {
 public:
  using Handler = std::function<void(OfferChange what, std::string uri)>;

  // `told`: what it may ever tell of. Clients are told beforehand what to wait for.
  explicit ChangeFeed(OfferChanges told) : told_(told) {}

  bool TellsOf(OfferChange what) const { return told_.Contains(what); }
  // `uri` is that of the resource, for kResource.
  void Tell(OfferChange what, std::string uri = "") const {
    if (TellsOf(what)) hub_.Emit(what, std::move(uri));
  }
  // Whether anybody would hear it.
  bool has_listeners() const { return !hub_.empty(); }
  Subscription Subscribe(Handler handler) { return hub_.Subscribe(std::move(handler)); }

 private:
  OfferChanges told_;
  EventHub<OfferChange, std::string> hub_;
};

}  // namespace falconer::api
