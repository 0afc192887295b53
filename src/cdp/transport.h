#pragma once
// Transport: carries whole protocol messages to a browser and back, in order.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/async/departure.h"
#include "base/error.h"

namespace falconer::cdp {

// The most bytes that wait for a browser that does not read. A browser at work leaves a few
// kilobytes.
inline constexpr std::size_t kMostQueuedBytes = 64UZ << 20U;

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
  // Queues one message. Fails with kQueueFull, and the message is not sent, when the browser has
  // left too many bytes unread; a message always fits into an empty queue. Messages to a closed
  // transport vanish; on_closed has told why. `departure`, which may be null, is asked when the
  // message's turn has come, and told when it has left.
  virtual Result<void> Post(std::string message, std::unique_ptr<Departure> departure) = 0;
  Result<void> Post(std::string message) { return Post(std::move(message), nullptr); }
  // Ends the connection; on_closed is not called for it.
  virtual void Close() = 0;
};

}  // namespace falconer::cdp
