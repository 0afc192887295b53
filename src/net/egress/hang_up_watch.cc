#include "net/egress/hang_up_watch.h"

#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

namespace falconer::net {

namespace asio = boost::asio;
using asio::ip::tcp;

struct HangUpWatch::State {
  explicit State(tcp::socket& s) : socket(&s) {}

  bool IsGone() const {
    char byte = 0;
    boost::system::error_code code;
    socket->non_blocking(true, code);
    socket->receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, code);
    return code && code != asio::error::would_block;
  }

  void OnReadable(const boost::system::error_code& code) {
    is_waiting = false;
    if (code || socket == nullptr || !gone || !IsGone()) return;
    std::exchange(gone, nullptr)();
  }

  tcp::socket* socket;
  std::function<void()> gone;
  // One wait stays with the socket from request to request: it costs a system call.
  bool is_waiting = false;
};

HangUpWatch::HangUpWatch(tcp::socket& socket) : state_(std::make_shared<State>(socket)) {
}

HangUpWatch::~HangUpWatch() {
  state_->socket = nullptr;
  state_->gone = nullptr;
}

void HangUpWatch::Watch(std::function<void()> gone) {
  state_->gone = std::move(gone);
  if (std::exchange(state_->is_waiting, true)) return;
  state_->socket->async_wait(
      tcp::socket::wait_read,
      [state = state_](const boost::system::error_code& code) { state->OnReadable(code); });
}

void HangUpWatch::Ignore() {
  state_->gone = nullptr;
}

}  // namespace falconer::net
