#include "app/websocket_transport.h"

#include <deque>
#include <utility>

#include "base/async/task_scope.h"

namespace falconer::app {

struct WebSocketTransport::State {
  struct Waiting {
    std::string message;
    std::unique_ptr<Departure> departure;
  };

  State(const Executor& executor, Clock& clock, std::unique_ptr<net::WebSocket> s, std::size_t most)
      : socket(std::move(s)), ctx(executor, clock), most_queued(most) {}

  // The owner may destroy the transport from inside the call.
  void Fail(std::string why) {
    if (std::exchange(is_closed, true)) return;
    if (const auto tell = std::exchange(handlers, {}).on_closed) {
      tell(Error(ErrorCode::kBrowserGone, std::move(why)));
    }
  }

  std::unique_ptr<net::WebSocket> socket;
  CallContext ctx;
  std::size_t most_queued;
  // The first is being written.
  std::deque<Waiting> queue;
  std::size_t queued_bytes = 0;
  Handlers handlers;
  bool is_closed = false;
  std::unique_ptr<TaskScope> tasks = std::make_unique<TaskScope>(ctx.executor());
};

WebSocketTransport::WebSocketTransport(const Executor& executor, Clock& clock,
                                       std::unique_ptr<net::WebSocket> socket,
                                       std::size_t most_queued)
    : state_(std::make_shared<State>(executor, clock, std::move(socket), most_queued)) {
}

WebSocketTransport::~WebSocketTransport() {
  Close();
}

void WebSocketTransport::Start(Handlers handlers) {
  state_->handlers = std::move(handlers);
  state_->tasks->Spawn("cdp.read", Read(state_));
}

Task<void> WebSocketTransport::Read(std::shared_ptr<State> state) {
  while (!state->is_closed) {
    auto message = co_await state->socket->Receive();
    if (state->is_closed) co_return;
    if (!message) co_return state->Fail(message.error().message());
    if (message->kind == net::WebSocketMessage::Kind::kClosed) {
      co_return state->Fail("the browser closed its debugging connection");
    }
    // A copy: the handler may close the transport while it runs.
    const auto deliver = state->handlers.on_message;
    deliver(message->data);
  }
}

Result<void> WebSocketTransport::Post(std::string message, std::unique_ptr<Departure> departure) {
  if (state_->is_closed) return {};
  if (state_->queued_bytes > 0 && state_->queued_bytes + message.size() > state_->most_queued) {
    return Fail(ErrorCode::kQueueFull,
                "the browser does not read its commands: " + std::to_string(state_->queued_bytes) +
                    " bytes wait already");
  }
  state_->queued_bytes += message.size();
  state_->queue.push_back({.message = std::move(message), .departure = std::move(departure)});
  if (state_->queue.size() == 1) state_->tasks->Spawn("cdp.write", WriteAll(state_));
  return {};
}

// A command that could not be sent would never be answered: the connection is given up, and the
// reader tells so.
Task<void> WebSocketTransport::WriteAll(std::shared_ptr<State> state) {
  while (!state->is_closed && !state->queue.empty()) {
    State::Waiting& first = state->queue.front();
    const std::size_t bytes = first.message.size();
    if (!first.departure || first.departure->MayLeave()) {
      const auto sent = co_await state->socket->Send(
          state->ctx, net::WebSocketMessage{.data = std::move(first.message)});
      if (!sent && !state->is_closed) co_return co_await state->socket->Close();
      if (sent && first.departure) first.departure->DidLeave();
    }
    state->queued_bytes -= bytes;
    state->queue.pop_front();
  }
}

void WebSocketTransport::Close() {
  state_->is_closed = true;
  state_->handlers = {};
  state_->tasks.reset();
}

}  // namespace falconer::app
