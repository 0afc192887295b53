#pragma once
// Transport: carries whole protocol messages to a browser and back, in order.

#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer::cdp {

class Transport {
 public:
  struct Handlers {
    std::function<void(std::string_view message)> on_message;
    // Once, when the other side is gone; nothing is delivered afterwards. Never from inside Post().
    std::function<void(Error reason)> on_closed;
  };

  virtual ~Transport() = default;

  // Begins delivery. Called once, before the first Post().
  virtual void Start(Handlers handlers) = 0;
  // Queues one message. Messages to a closed transport vanish; on_closed has told why.
  virtual void Post(std::string message) = 0;
  // Ends the connection; on_closed is not called for it.
  virtual void Close() = 0;
};

}  // namespace falconer::cdp
