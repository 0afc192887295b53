#pragma once
// WebSocketTransport: a browser's debugging port as a transport of protocol messages.

#include <memory>

#include "base/async/task.h"
#include "cdp/transport.h"
#include "net/websocket.h"

namespace falconer::app {

class WebSocketTransport final : public cdp::Transport {
 public:
  WebSocketTransport(const Executor& executor, Clock& clock, std::unique_ptr<net::WebSocket> socket,
                     std::size_t most_queued = cdp::kMostQueuedBytes);
  ~WebSocketTransport() override;

  using cdp::Transport::Post;
  void Start(Handlers handlers) override;
  Result<void> Post(std::string message, std::unique_ptr<Departure> departure) override;
  void Close() override;

 private:
  // Tasks outlive us until they notice that they were cancelled; they hold this state.
  struct State;
  static Task<void> Read(std::shared_ptr<State> state);
  static Task<void> WriteAll(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace falconer::app
