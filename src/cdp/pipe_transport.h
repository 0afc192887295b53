#pragma once
// PipeTransport: the browser's --remote-debugging-pipe. Each message ends with one NUL byte.
// Closing our write end makes the browser exit by itself, so a killed Falconer leaves no orphan.

#include "base/async/message_pipe.h"
#include "cdp/transport.h"

namespace falconer::cdp {

class PipeTransport final : public Transport {
 public:
  // Takes the ends of two pipes: `from_browser` to read, `to_browser` to write.
  PipeTransport(const Executor& executor, UniqueFd from_browser, UniqueFd to_browser,
                std::size_t most_queued = kMostQueuedBytes);

  using Transport::Post;
  void Start(Handlers handlers) override;
  Result<void> Post(std::string message, std::unique_ptr<Departure> departure) override;
  void Close() override;

 private:
  MessagePipe pipe_;
};

}  // namespace falconer::cdp
