#pragma once
// EventTexts: the events of sessions as text, made once for all who listen: to make one costs far
// more than to send it. On the server's event loop.

#include <deque>
#include <memory>
#include <string>

#include "api/tools/view_guard.h"
#include "kernel/flow/lanes.h"

namespace falconer::api {

class EventTexts {
 public:
  // One server-sent event. What pages say in it has gone through `guard`.
  std::shared_ptr<const std::string> TextOf(const kernel::BusEventPtr& event, ViewGuard& guard);

 private:
  struct Told {
    kernel::BusEventPtr event;
    std::shared_ptr<const std::string> text;
  };
  // The newest first.
  std::deque<Told> kept_;
};

}  // namespace falconer::api
