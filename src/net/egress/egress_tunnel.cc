#include "net/egress/egress_tunnel.h"

#include <utility>
#include <vector>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/write.hpp>

#include "net/egress/client_hello.h"
#include "net/io_token.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kTunnelPiece = std::size_t{32} << 10;
constexpr std::size_t kGreetingPiece = std::size_t{4} << 10;

}  // namespace

Task<void> EgressTunnel::Run(std::string from_client, std::string from_host, std::string name,
                             int status) {
  status_ = status;
  Touch();
  using asio::experimental::awaitable_operators::operator&&;
  co_await (PumpUp(std::move(from_client), std::move(name)) &&
            Pump(&host_, &client_, std::move(from_host), &EgressRecord::MayTake));
  record_.End(EgressOutcome::kDone, status_);
}

Task<void> EgressTunnel::PumpUp(std::string first, std::string name) {
  if (!name.empty() && !co_await AwaitGreeting(&first, std::move(name))) co_return;
  co_await Pump(&client_, &host_, std::move(first), &EgressRecord::MaySend);
}

Task<bool> EgressTunnel::AwaitGreeting(std::string* bytes, std::string name) {
  using enum HelloName::Found;
  while (true) {
    const HelloName hello = ReadHelloName(*bytes);
    if (hello.found == kName && hello.name != name) {
      BreakOff(EgressOutcome::kRefused, "server_name_mismatch");
      co_return false;
    }
    if (hello.found == kTooLong) {
      BreakOff(EgressOutcome::kRefused, "greeting_too_long");
      co_return false;
    }
    if (hello.found != kNeedMore) co_return true;
    const std::size_t had = bytes->size();
    bytes->resize(had + kGreetingPiece);
    const auto [code, size] =
        co_await client_.async_read_some(asio::buffer(*bytes) + had, kAsTuple);
    bytes->resize(had + size);
    if (!code) continue;
    // What was begun as a greeting, and whose name nobody has read, goes nowhere.
    if (!bytes->empty() && code == asio::error::eof) {
      BreakOff(EgressOutcome::kRefused, "greeting_cut_off");
    } else {
      OnReadEnd(&host_, code);
    }
    co_return false;
  }
}

Task<void> EgressTunnel::Pump(Socket* from, Socket* to, std::string first, Count count) {
  if (!first.empty() && !co_await Pass(to, first, count)) co_return;
  std::vector<char> room(kTunnelPiece);
  while (true) {
    const auto [code, size] = co_await from->async_read_some(asio::buffer(room), kAsTuple);
    if (code) co_return OnReadEnd(to, code);
    if (!co_await Pass(to, {room.data(), size}, count)) co_return;
  }
}

void EgressTunnel::OnReadEnd(Socket* to, const boost::system::error_code& code) {
  if (code != asio::error::eof) return OnBroken(code);
  boost::system::error_code ignored;
  to->shutdown(Socket::shutdown_send, ignored);
  is_half_closed_ = true;
  Touch();
}

Task<bool> EgressTunnel::Pass(Socket* to, std::string_view bytes, Count count) {
  Touch();
  if (!(record_.*count)(bytes.size())) {
    BreakOff(EgressOutcome::kCut, "byte_limit");
    co_return false;
  }
  const auto [code, size] = co_await asio::async_write(*to, asio::buffer(bytes), kAsTuple);
  if (code) OnBroken(code);
  co_return !code;
}

void EgressTunnel::OnBroken(const boost::system::error_code& code) {
  const ErrorCode why = watch_.Explain(code, "tunnel").code();
  if (why == ErrorCode::kTimeout) return BreakOff(EgressOutcome::kCut, "quiet");
  // Many clients and servers reset a connection that they no longer need.
  if (why == ErrorCode::kNetworkError) return BreakOff(EgressOutcome::kDone, "broken_off");
  BreakOff(EgressOutcome::kCancelled, "cancelled");
}

void EgressTunnel::BreakOff(EgressOutcome outcome, std::string_view reason) {
  record_.End(outcome, status_, std::string(reason));
  boost::system::error_code ignored;
  client_.close(ignored);
  host_.close(ignored);
}

void EgressTunnel::Touch() {
  watch_.ArmFor(is_half_closed_ ? options_.half_closed_timeout : options_.quiet_timeout);
}

}  // namespace falconer::net
