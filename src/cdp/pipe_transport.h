#pragma once
// PipeTransport: the browser's --remote-debugging-pipe. Each message ends with one NUL byte.
// Closing our write end makes the browser exit by itself, so a killed Falconer leaves no orphan.

#include <memory>

#include "base/async/task.h"
#include "base/unique_fd.h"
#include "cdp/transport.h"

namespace falconer::cdp {

class PipeTransport final : public Transport {
 public:
  // Takes the ends of two pipes: `from_browser` to read, `to_browser` to write.
  PipeTransport(const Executor& executor, UniqueFd from_browser, UniqueFd to_browser,
                std::size_t most_queued = kMostQueuedBytes);
  ~PipeTransport() override;

  void Start(Handlers handlers) override;
  Result<void> Post(std::string message) override;
  void Close() override;

 private:
  // Asio keeps completion handlers after a descriptor is closed; they hold this state, not us.
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace falconer::cdp
