#pragma once
// MessagePipe: whole messages over two file descriptors, each message ended by one byte. The
// descriptors may be pipes, sockets, terminals, and for the input also files and /dev/null. They
// get their blocking mode back when the pipe is closed: whoever gave them to us shares it. All of
// it happens on one event loop; nothing here is thread safe.

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "base/async/departure.h"
#include "base/async/task.h"
#include "base/unique_fd.h"

namespace falconer {

// Why nothing more is delivered.
enum class PipeEnd {
  kInputEnded,  // the other side closed its end
  kCutOff,      // the same in the middle of a message, which is not delivered
  kReadFailed,
  kWriteFailed,
  kTooLong,  // a message is longer than allowed, and nobody wants to go on after it
};

// Of a message that is too long.
enum class LongPart { kMoreComes, kLast };

class MessagePipe {
 public:
  struct Handlers {
    // One message, without the byte that ends it.
    std::function<void(std::string_view message)> on_message;
    // Once, and nothing is delivered afterwards. Never from inside Post(). Unless writing failed,
    // what is posted is still written, until Close().
    std::function<void(PipeEnd end, std::string why)> on_closed;
    // Everything that had to wait is written, or never can be; may be left empty.
    std::function<void()> on_drained = {};
    // A message is longer than allowed. It is not kept: its parts are shown as they come, and what
    // follows it is delivered. Left empty, such a message ends the pipe.
    std::function<void(std::string_view part, LongPart kind)> on_too_long = {};
  };
  struct Options {
    char delimiter = '\n';
    // The most bytes that wait for a reader who does not read.
    std::size_t most_queued = 64UZ << 20U;
    std::size_t longest_message = std::numeric_limits<std::size_t>::max();
  };

  MessagePipe(const Executor& executor, UniqueFd in, UniqueFd out, const Options& options);
  // Closes.
  ~MessagePipe();
  MessagePipe(const MessagePipe&) = delete;
  MessagePipe& operator=(const MessagePipe&) = delete;

  // Begins delivery. Called once, before the first Post().
  void Start(Handlers handlers);
  // Writes one message, at once as far as the descriptor takes it; the rest waits. Fails with
  // kQueueFull, and nothing of it is sent, when too many bytes wait already; a message always fits
  // into an empty queue. Messages to a closed pipe vanish. `departure` may be null.
  Result<void> Post(std::string message, std::unique_ptr<Departure> departure = nullptr);
  // Ends it without on_closed. What still waits is lost.
  void Close();

  // Bytes of the messages that wait, or wait in part.
  std::size_t queued_bytes() const;

 private:
  // Asio keeps completion handlers after a descriptor is closed; they hold this state, not us.
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace falconer
