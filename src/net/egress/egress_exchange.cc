#include "net/egress/egress_exchange.h"

#include <utility>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>

#include "net/egress/egress_tunnel.h"
#include "net/egress/request_check.h"
#include "net/egress/warm_sockets.h"
#include "net/http_message.h"

namespace falconer::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

namespace {

constexpr std::size_t kAnswerHeadPiece = std::size_t{8} << 10;
constexpr std::string_view kTunnelOpen = "HTTP/1.1 200 Connection Established\r\n\r\n";

// Whether it is there and has said nothing that nobody asked for.
bool IsSilent(tcp::socket& socket) {
  char byte = 0;
  boost::system::error_code code;
  socket.non_blocking(true, code);
  socket.receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, code);
  return code == asio::error::would_block;
}

EgressRefusal OverLimit() {
  return {.status = 403, .reason = "byte_limit", .outcome = EgressOutcome::kCut};
}

}  // namespace

EgressExchange::EgressExchange(ClientSide& side, const EgressKit& kit, RequestParser& request,
                               EgressRecord& record, EgressTarget target)
    : side_(side), kit_(kit), request_(request), record_(record), target_(std::move(target)) {
}

Task<std::expected<NextUp, EgressRefusal>> EgressExchange::Run() {
  side_.WatchHangUp();
  auto reached = co_await Reach();
  Answered answered = std::unexpected(EgressRefusal{});
  if (!reached) {
    answered = std::unexpected(std::move(reached).error());
  } else if (record_.ask().kind == EgressKind::kConnect) {
    answered = co_await Tunnel(target_.literal ? "" : target_.host, std::string(kTunnelOpen), 200);
  } else {
    answered = co_await Relay();
  }
  side_.hang_up.Ignore();
  if (!answered || (side_.host && side_.host->is_spent)) side_.host.reset();
  if (answered) co_return answered;
  if (side_.off.is_cancelled()) answered.error().outcome = EgressOutcome::kCancelled;
  record_.End(answered.error());
  // In the middle of an answer there is nothing to be said any more.
  if (is_answering_) co_return NextUp::kNothing;
  co_return answered;
}

// Whether the kept connection leads to where this request wants to go, and may still.
std::expected<bool, EgressRefusal> EgressExchange::TakeKept() {
  if (!side_.host) return false;
  const HostSide& host = *side_.host;
  const bool is_same = host.name == target_.host && host.port == target_.port;
  const bool is_plain = record_.ask().kind == EgressKind::kHttp && request_.is_done();
  if (!is_same || !is_plain || !IsRepeatable(request_.get()) || !IsSilent(side_.host->socket)) {
    side_.host.reset();
    return false;
  }
  if (!host.address) return true;
  const auto verdict = kit_.rule.DecideAddress(record_.ask(), *host.address);
  if (!verdict.is_allowed) return std::unexpected(RefusalBy(verdict));
  return true;
}

// A connection that was opened before, if it is still good; else a new one.
Task<std::expected<ReachedHost, EgressRefusal>> EgressExchange::ReachAnew() {
  auto warm = record_.session().warm->Take({.host = target_.host, .port = target_.port});
  if (warm && IsSilent(warm->socket)) {
    const EgressVerdict verdict = warm->address
                                      ? kit_.rule.DecideAddress(record_.ask(), *warm->address)
                                      : EgressVerdict{.is_allowed = true};
    if (!verdict.is_allowed) co_return std::unexpected(RefusalBy(verdict));
    co_return *std::move(warm);
  }
  co_return co_await ReachHost(side_.ctx.WithTimeout(kit_.options.dial_timeout), &kit_,
                               record_.ask(), target_);
}

Task<EgressExchange::Step> EgressExchange::Reach() {
  const auto kept = TakeKept();
  if (!kept) co_return std::unexpected(kept.error());
  if (!*kept) {
    // The way there has a time limit of its own.
    side_.watch.Disarm();
    auto reached = co_await ReachAnew();
    if (!reached) co_return std::unexpected(std::move(reached).error());
    side_.host.emplace(*std::move(reached));
    side_.host->name = target_.host;
    side_.host->port = target_.port;
  }
  record_.Opened(side_.host->address);
  co_return Step();
}

Task<EgressExchange::Answered> EgressExchange::Relay() {
  const bool is_upgrade = record_.ask().kind == EgressKind::kWebSocket;
  std::string head = UpstreamHead(request_.get(), target_, RequestFraming(),
                                  is_upgrade ? Upgrade::kWebSocket : Upgrade::kNone);
  if (!request_.is_done()) co_return co_await RelayWithBody(std::move(head));
  if (co_await Upload(head) == Passed::kOverLimit) co_return std::unexpected(OverLimit());
  auto answered = co_await ReadAnswerHead();
  const bool has_begun = response_ && response_->got_some();
  if (!answered && side_.host->is_used && !has_begun && !side_.watch.has_fired()) {
    // The host had closed the kept connection when the request came.
    side_.host.reset();
    auto reached = co_await Reach();
    if (!reached) co_return std::unexpected(std::move(reached).error());
    co_await Upload(std::move(head));
    answered = co_await ReadAnswerHead();
  }
  if (!answered) co_return std::unexpected(std::move(answered).error());
  co_return co_await Download();
}

// The body goes up while the answer is awaited: the host may answer before it has all of it, or ask
// for it first (100 Continue).
Task<EgressExchange::Answered> EgressExchange::RelayWithBody(std::string head) {
  using asio::experimental::awaitable_operators::operator||;
  auto ended = co_await (Respond() || UploadUnlessBroken(std::move(head)));
  if (auto* answered = std::get_if<Answered>(&ended)) co_return std::move(*answered);
  co_return std::unexpected(std::get<EgressRefusal>(std::move(ended)));
}

Task<Passed> EgressExchange::Upload(std::string head) {
  side_.watch.ArmFor(kit_.options.quiet_timeout);
  is_uploaded_ = false;
  if (!record_.MaySend(head.size())) co_return Passed::kOverLimit;
  BodyPass<RequestParser> body({.from = side_.socket,
                                .buffer = side_.buffer,
                                .to = side_.host->socket,
                                .watch = side_.watch,
                                .record = record_,
                                .options = kit_.options},
                               request_);
  const Passed passed = co_await body.Run(std::move(head), RequestFraming());
  is_uploaded_ = passed == Passed::kAll;
  co_return passed;
}

// Returns when nothing is left but to refuse; otherwise leaves the rest to the answer.
Task<EgressRefusal> EgressExchange::UploadUnlessBroken(std::string head) {
  using enum EgressOutcome;
  switch (co_await Upload(std::move(head))) {
    case Passed::kMalformed:
      co_return EgressRefusal{.status = 400, .reason = "malformed_body"};
    case Passed::kOverLimit:
      co_return OverLimit();
    case Passed::kSourceBroke: {
      const bool is_late = side_.watch.has_fired();
      co_return EgressRefusal{.status = 408,
                              .reason = is_late ? "body_timeout" : "body_broke_off",
                              .outcome = is_late ? kCut : kCancelled};
    }
    case Passed::kAll:
      side_.WatchHangUp();
      break;
    case Passed::kSinkBroke:
      break;
  }
  asio::steady_timer forever(side_.ctx.executor(), asio::steady_timer::time_point::max());
  co_await forever.async_wait(kAsTuple);
  co_return EgressRefusal{};
}

Task<EgressExchange::Answered> EgressExchange::Respond() {
  auto answered = co_await ReadAnswerHead();
  if (!answered) co_return std::unexpected(std::move(answered).error());
  co_return co_await Download();
}

EgressRefusal EgressExchange::HostBroke() const {
  const bool is_late = side_.watch.has_fired() && !side_.off.is_cancelled();
  return {.status = is_late ? 504 : 502,
          .reason = is_late ? "host_timeout" : "host_broke_off",
          .outcome = EgressOutcome::kFailed};
}

void EgressExchange::DropHost() {
  side_.host->is_spent = true;
  boost::system::error_code ignored;
  side_.host->socket.close(ignored);
}

// The head of the final answer; those before it (100, 103) are passed on as they come.
Task<EgressExchange::Step> EgressExchange::ReadAnswerHead() {
  while (true) {
    auto read = co_await ReadOneHead();
    if (!read) co_return read;
    const ResponseHeader& head = response_->get();
    const unsigned status = head.result_int();
    if (status == 407) co_return Refuse(502, "host_asks_for_proxy_credentials");
    if (status == 101 && record_.ask().kind != EgressKind::kWebSocket) {
      co_return Refuse(502, "host_switched_protocols");
    }
    if (status / 100 != 1 || status == 101) co_return read;
    if (request_.get().version() < kHttp11) continue;
    const std::string text = ClientHead(head, {}, Upgrade::kNone, ClientConnection::kKeep);
    const auto [code, size] =
        co_await asio::async_write(side_.socket, asio::buffer(text), kAsTuple);
    if (code) co_return std::unexpected(HostBroke());
  }
}

Task<EgressExchange::Step> EgressExchange::ReadOneHead() {
  response_.emplace();
  response_->header_limit(static_cast<std::uint32_t>(kit_.options.max_header_bytes));
  response_->body_limit(boost::none);
  response_->skip(request_.get().method() == http::verb::head);
  beast::flat_buffer& buffer = side_.host->buffer;
  while (true) {
    if (buffer.size() > 0) {
      boost::system::error_code code;
      const std::size_t used = response_->put(buffer.data(), code);
      buffer.consume(used);
      if (!record_.MayTake(used)) co_return std::unexpected(OverLimit());
      if (response_->is_header_done()) co_return Step();
      if (code && code != http::error::need_more) co_return Refuse(502, "malformed_answer");
    }
    side_.watch.ArmFor(kit_.options.quiet_timeout);
    const auto [failed, got] =
        co_await side_.host->socket.async_read_some(buffer.prepare(kAnswerHeadPiece), kAsTuple);
    if (failed) co_return std::unexpected(HostBroke());
    buffer.commit(got);
  }
}

Framing EgressExchange::RequestFraming() const {
  if (request_.chunked()) return {.kind = Framing::Kind::kChunked};
  const auto length = request_.content_length();
  return length ? Framing{.kind = Framing::Kind::kLength, .length = *length} : Framing{};
}

Framing EgressExchange::AnswerFraming() const {
  const unsigned status = response_->get().result_int();
  if (request_.get().method() == http::verb::head || status == 304) {
    return {.kind = Framing::Kind::kAsSaid};
  }
  if (status == 204) return {};
  const auto length = response_->content_length();
  if (length && !response_->chunked()) {
    return {.kind = Framing::Kind::kLength, .length = *length};
  }
  // An answer that ends with its connection goes on in chunks: so the client can tell an end from
  // a break.
  const bool knows_chunks = request_.get().version() >= kHttp11;
  return {.kind = knows_chunks ? Framing::Kind::kChunked : Framing::Kind::kToEnd};
}

Task<NextUp> EgressExchange::Download() {
  const ResponseHeader& head = response_->get();
  const int status = static_cast<int>(head.result_int());
  is_answering_ = true;
  if (status == 101) {
    co_return co_await Tunnel(
        "", ClientHead(head, {}, Upgrade::kWebSocket, ClientConnection::kKeep), status);
  }
  const Framing framing = AnswerFraming();
  const bool is_kept = is_uploaded_ && request_.keep_alive() &&
                       request_.get().version() >= kHttp11 && framing.kind != Framing::Kind::kToEnd;
  BodyPass<ResponseParser> body({.from = side_.host->socket,
                                 .buffer = side_.host->buffer,
                                 .to = side_.socket,
                                 .watch = side_.watch,
                                 .record = record_,
                                 .options = kit_.options},
                                *response_);
  const auto connection = is_kept ? ClientConnection::kKeep : ClientConnection::kClose;
  const Passed passed =
      co_await body.Run(ClientHead(head, framing, Upgrade::kNone, connection), framing);
  co_return EndDownload(passed, is_kept ? NextUp::kRequest : NextUp::kGoodbye);
}

NextUp EgressExchange::EndDownload(Passed passed, NextUp next) {
  const int status = static_cast<int>(response_->get().result_int());
  if (passed == Passed::kAll) {
    record_.End(EgressOutcome::kDone, status);
    const bool is_reusable =
        next == NextUp::kRequest && response_->keep_alive() && side_.host->buffer.size() == 0;
    if (!is_reusable) DropHost();
    side_.host->is_used = true;
    return next;
  }
  if (side_.off.is_cancelled() || passed == Passed::kSinkBroke) {
    record_.End(EgressOutcome::kCancelled, status);
  } else if (passed == Passed::kOverLimit) {
    record_.End(EgressOutcome::kCut, status, "byte_limit");
  } else {
    record_.End(EgressOutcome::kFailed, status,
                passed == Passed::kMalformed ? "malformed_answer" : HostBroke().reason);
  }
  DropHost();
  return NextUp::kNothing;
}

Task<NextUp> EgressExchange::Tunnel(std::string name, std::string opening, int status) {
  side_.hang_up.Ignore();
  side_.watch.ArmFor(kit_.options.quiet_timeout);
  const auto [code, size] =
      co_await asio::async_write(side_.socket, asio::buffer(opening), kAsTuple);
  if (!code) {
    EgressTunnel tunnel(side_.socket, side_.host->socket, side_.watch, record_, kit_.options);
    co_await tunnel.Run(beast::buffers_to_string(side_.buffer.data()),
                        beast::buffers_to_string(side_.host->buffer.data()), std::move(name),
                        status);
  }
  DropHost();
  co_return NextUp::kNothing;
}

}  // namespace falconer::net
