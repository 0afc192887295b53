#include "app/websocket_transport.h"

#include <utility>

#include "base/async/task_scope.h"

namespace falconer::app {

struct WebSocketTransport::State {
  State(const Executor& executor, Clock& clock, std::unique_ptr<net::WebSocket> s)
      : socket(std::move(s)), ctx(executor, clock) {}

  // The owner may destroy the transport from inside the call.
  void Fail(std::string why) {
    if (std::exchange(is_closed, true)) return;
    if (const auto tell = std::exchange(handlers, {}).on_closed) {
      tell(Error(ErrorCode::kBrowserGone, std::move(why)));
    }
  }

  std::unique_ptr<net::WebSocket> socket;
  CallContext ctx;
  Handlers handlers;
  bool is_closed = false;
  std::unique_ptr<TaskScope> tasks = std::make_unique<TaskScope>(ctx.executor());
};

WebSocketTransport::WebSocketTransport(const Executor& executor, Clock& clock,
                                       std::unique_ptr<net::WebSocket> socket)
    : state_(std::make_shared<State>(executor, clock, std::move(socket))) {
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

// Messages go out in the order their tasks were started.
void WebSocketTransport::Post(std::string message) {
  if (state_->is_closed) return;
  state_->tasks->Spawn("cdp.write", Write(state_, std::move(message)));
}

// A command that could not be sent would never be answered: the connection is given up, and the
// reader tells so.
Task<void> WebSocketTransport::Write(std::shared_ptr<State> state, std::string message) {
  const auto sent =
      co_await state->socket->Send(state->ctx, net::WebSocketMessage{.data = std::move(message)});
  if (!sent && !state->is_closed) co_await state->socket->Close();
}

void WebSocketTransport::Close() {
  state_->is_closed = true;
  state_->handlers = {};
  state_->tasks.reset();
}

}  // namespace falconer::app
