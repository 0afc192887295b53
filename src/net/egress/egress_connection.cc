#include "net/egress/egress_connection.h"

#include <expected>
#include <optional>
#include <utility>

#include <boost/asio/write.hpp>

#include "net/egress/egress_exchange.h"
#include "net/egress/request_check.h"
#include "net/egress/request_flaw.h"
#include "net/http_message.h"

namespace falconer::net {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

namespace {

constexpr std::size_t kLingerPiece = std::size_t{32} << 10;
constexpr std::size_t kHeadPiece = std::size_t{8} << 10;
constexpr std::string_view kHeadEnd = "\r\n\r\n";
// What a refused client may still send before it is cut off: closing with bytes unread would reset
// the connection and could take the refusal with it.
constexpr auto kEgressLinger = std::chrono::seconds(1);
constexpr std::size_t kEgressLingerBytes = std::size_t{1} << 20;

}  // namespace

class EgressConnection::Impl {
 public:
  Impl(tcp::socket socket, const CallContext& ctx, const EgressKit& kit, EgressConnection* self)
      : side_(std::move(socket), ctx), kit_(kit), self_(self) {}
  ~Impl() {
    if (!session_) return;
    session_->connections.erase(self_);
    session_->counts.connections = session_->connections.size();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Task<void> Run();
  void BreakOff() { side_.BreakOff("the session was dismissed"); }

 private:
  Task<void> Linger();
  Task<bool> ReadSome(std::size_t size);
  Task<std::expected<bool, EgressRefusal>> ReadHead();
  std::expected<void, EgressRefusal> ParseHead(std::string_view head);
  std::expected<void, EgressRefusal> Identify();
  std::expected<EgressTarget, EgressRefusal> Admit(EgressRecord& record);
  Task<NextUp> Serve();
  Task<NextUp> Answer(EgressRefusal refusal);

  ClientSide side_;
  const EgressKit& kit_;
  EgressConnection* self_;
  std::shared_ptr<EgressSession> session_;
  std::optional<RequestParser> request_;
};

Task<void> EgressConnection::Impl::Run() {
  while (true) {
    const auto has_head = co_await ReadHead();
    if (has_head && !*has_head) co_return;
    const NextUp next = has_head ? co_await Serve() : co_await Answer(has_head.error());
    if (next == NextUp::kNothing) co_return;
    if (next == NextUp::kGoodbye) break;
  }
  co_await Linger();
}

Task<void> EgressConnection::Impl::Linger() {
  boost::system::error_code ignored;
  side_.socket.shutdown(tcp::socket::shutdown_send, ignored);
  side_.watch.ArmFor(kEgressLinger);
  for (std::size_t taken = 0; taken < kEgressLingerBytes; taken += side_.buffer.size()) {
    side_.buffer.clear();
    if (!co_await ReadSome(kLingerPiece)) co_return;
  }
}

Task<bool> EgressConnection::Impl::ReadSome(std::size_t size) {
  const auto [code, got] =
      co_await side_.socket.async_read_some(side_.buffer.prepare(size), kAsTuple);
  side_.buffer.commit(got);
  co_return !code && !side_.off.is_cancelled();
}

// Whether there is a request at all.
Task<std::expected<bool, EgressRefusal>> EgressConnection::Impl::ReadHead() {
  request_.reset();
  if (side_.buffer.size() == 0) {
    side_.watch.ArmFor(kit_.options.idle_timeout);
    if (!co_await ReadSome(kHeadPiece)) co_return false;
  }
  side_.watch.ArmFor(kit_.options.header_timeout);
  std::size_t seen = 0;
  while (true) {
    const std::string_view bytes(static_cast<const char*>(side_.buffer.data().data()),
                                 side_.buffer.size());
    const std::size_t end = bytes.find(kHeadEnd, seen);
    if (end != bytes.npos && end + kHeadEnd.size() <= kit_.options.max_header_bytes) {
      auto parsed = ParseHead(bytes.substr(0, end + kHeadEnd.size()));
      if (!parsed) co_return std::unexpected(std::move(parsed).error());
      co_return true;
    }
    if (bytes.size() > kit_.options.max_header_bytes) co_return Refuse(431, "header_too_long");
    seen = bytes.size() < kHeadEnd.size() ? 0 : bytes.size() - kHeadEnd.size() + 1;
    if (!co_await ReadSome(kHeadPiece)) {
      if (side_.watch.has_fired() && !side_.off.is_cancelled())
        co_return Refuse(408, "header_timeout");
      co_return false;
    }
  }
}

std::expected<void, EgressRefusal> EgressConnection::Impl::ParseHead(std::string_view head) {
  if (const auto flaw = FlawIn(head)) return Refuse(400, *flaw);
  request_.emplace();
  request_->header_limit(static_cast<std::uint32_t>(kit_.options.max_header_bytes));
  request_->body_limit(boost::none);
  boost::system::error_code code;
  const std::size_t used = request_->put(asio::buffer(head), code);
  if (code || used != head.size() || !request_->is_header_done()) {
    request_.reset();
    return Refuse(400, "malformed_request");
  }
  side_.buffer.consume(head.size());
  return {};
}

std::expected<void, EgressRefusal> EgressConnection::Impl::Identify() {
  const RequestHeader& head = request_->get();
  const auto field = head.count(http::field::proxy_authorization) == 1
                         ? std::string_view(head[http::field::proxy_authorization])
                         : std::string_view();
  auto session = kit_.identify(field);
  // One connection, one session: a kept host would pass from one to the other.
  if (!session || (session_ && session_ != session)) {
    return Refuse(407, "credentials_needed");
  }
  if (session_) return {};
  if (session->connections.size() >= session->limits.max_connections) {
    return Refuse(503, "connection_limit");
  }
  session_ = std::move(session);
  session_->connections.insert(self_);
  session_->counts.connections = session_->connections.size();
  return {};
}

std::expected<EgressTarget, EgressRefusal> EgressConnection::Impl::Admit(EgressRecord& record) {
  const RequestHeader& head = request_->get();
  auto target = TargetOf(head);
  if (!target) return target;
  record.SetAsk(KindOf(head), target->host, target->port);
  if (auto framed = CheckFraming(head); !framed) return std::unexpected(framed.error());
  if (session_->IsUsedUp()) return Refuse(403, "byte_limit");
  if (const auto verdict = kit_.rule.DecideHost(record.ask()); !verdict.is_allowed) {
    return std::unexpected(RefusalBy(verdict));
  }
  return target;
}

Task<NextUp> EgressConnection::Impl::Serve() {
  if (auto known = Identify(); !known) co_return co_await Answer(std::move(known).error());
  const RequestHeader& head = request_->get();
  EgressRecord record(kit_, side_.ctx.clock(), session_, std::string(head.method_string()));
  auto target = Admit(record);
  if (!target) {
    record.End(target.error());
    co_return co_await Answer(std::move(target).error());
  }
  EgressExchange exchange(side_, kit_, *request_, record, *std::move(target));
  auto answered = co_await exchange.Run();
  if (answered) co_return *answered;
  co_return co_await Answer(std::move(answered).error());
}

Task<NextUp> EgressConnection::Impl::Answer(EgressRefusal refusal) {
  if (refusal.outcome == EgressOutcome::kCancelled || side_.off.is_cancelled())
    co_return NextUp::kNothing;
  // A body that nobody read would be taken for the next request.
  const bool is_kept = request_ && request_->is_done() && request_->keep_alive() &&
                       request_->get().version() >= kHttp11;
  const bool is_head = request_ && request_->get().method() == http::verb::head;
  const std::string text =
      RefusalText(refusal, is_head ? RefusalBody::kOmit : RefusalBody::kSend,
                  is_kept ? RefusalEnd::kKeepConnection : RefusalEnd::kCloseConnection);
  side_.watch.ArmFor(kit_.options.header_timeout);
  const auto [code, size] = co_await asio::async_write(side_.socket, asio::buffer(text), kAsTuple);
  if (code) co_return NextUp::kNothing;
  co_return is_kept ? NextUp::kRequest : NextUp::kGoodbye;
}

EgressConnection::EgressConnection(tcp::socket socket, const CallContext& ctx, const EgressKit& kit)
    : impl_(std::make_unique<Impl>(std::move(socket), ctx, kit, this)) {
}

EgressConnection::~EgressConnection() = default;

Task<void> EgressConnection::Run() {
  co_await impl_->Run();
}

void EgressConnection::BreakOff() {
  impl_->BreakOff();
}

}  // namespace falconer::net
