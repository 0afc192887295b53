#include "net/egress/egress_proxy.h"

#include <map>
#include <set>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <openssl/crypto.h>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/base64.h"
#include "base/log.h"
#include "base/random.h"
#include "base/sha256.h"
#include "base/text.h"
#include "net/egress/egress_connection.h"
#include "net/egress/egress_reach.h"
#include "net/egress/warm_sockets.h"
#include "net/io_token.h"

namespace falconer::net {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr auto kEgressAcceptPause = std::chrono::milliseconds(100);
constexpr std::size_t kPasswordBytes = 32;
// Servers close what says nothing for long.
constexpr auto kKeptWarm = std::chrono::seconds(10);

// In a time that says nothing about where they differ, nor how long the secret is.
bool IsSameSecret(std::string_view a, std::string_view b) {
  const Sha256Digest first = Sha256Of(a);
  const Sha256Digest second = Sha256Of(b);
  return ::CRYPTO_memcmp(first.data(), second.data(), first.size()) == 0;
}

// "Basic <user:password in base64>".
std::optional<EgressCredentials> CredentialsIn(std::string_view field) {
  constexpr std::string_view kBasic = "basic ";
  if (field.size() <= kBasic.size()) return std::nullopt;
  if (!IsSameWord(field.substr(0, kBasic.size()), kBasic)) return std::nullopt;
  const auto text = DecodeBase64(field.substr(kBasic.size()));
  if (!text) return std::nullopt;
  const std::size_t colon = text->find(':');
  if (colon == text->npos) return std::nullopt;
  return EgressCredentials{.user = text->substr(0, colon), .password = text->substr(colon + 1)};
}

}  // namespace

// Shared with the coroutines it starts, which may outlive the proxy by a few steps of the loop.
class EgressProxy::Impl {
 public:
  Impl(const Executor& executor, Clock& clock, Resolver& resolver, EgressRule& rule,
       EgressObserver& observer, EgressOptions options)
      : ctx_(executor, clock),
        options_(std::move(options)),
        kit_{.resolver = resolver,
             .rule = rule,
             .observer = observer,
             .options = options_,
             .identify = [this](std::string_view field) { return Identify(field); },
             .last_event = &last_event_},
        acceptor_(executor),
        scope_(std::make_unique<TaskScope>(executor)) {}

  static Task<void> AcceptLoop(std::shared_ptr<Impl> self);
  static Task<void> Serve(std::shared_ptr<Impl> self, tcp::socket socket);
  static Task<void> Stop(std::shared_ptr<Impl> self);
  static Task<void> Warm(std::shared_ptr<Impl> self, std::shared_ptr<EgressSession> session,
                         EgressTarget target);

  Result<void> Bind();
  Result<void> Admit(const SessionId& id, std::string password, EgressLimits limits);
  void Dismiss(const SessionId& id);
  std::shared_ptr<EgressSession> SessionOf(const SessionId& id) const;

  void Spawn(std::string name, Task<void> task) {
    if (scope_) scope_->Spawn(std::move(name), std::move(task));
  }
  void BreakOff() {
    CloseDoor();
    scope_.reset();
  }
  std::uint16_t port() const {
    boost::system::error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }
  std::size_t connections() const { return connections_; }

 private:
  // Counts the connection while it is served.
  class Counted {
   public:
    explicit Counted(Impl& impl) : impl_(impl) { ++impl_.connections_; }
    ~Counted() {
      --impl_.connections_;
      impl_.changed_.NotifyAll();
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    Impl& impl_;
  };

  void CloseDoor() {
    is_stopping_ = true;
    boost::system::error_code ignored;
    acceptor_.close(ignored);
  }
  std::shared_ptr<EgressSession> Identify(std::string_view field) const;

  CallContext ctx_;
  const EgressOptions options_;
  std::uint64_t last_event_ = 0;
  const EgressKit kit_;
  tcp::acceptor acceptor_;
  std::unique_ptr<TaskScope> scope_;
  std::map<std::string, std::shared_ptr<EgressSession>, std::less<>> sessions_;
  std::size_t connections_ = 0;
  Notifier changed_;
  bool is_stopping_ = false;
};

Result<void> EgressProxy::Impl::Bind() {
  boost::system::error_code code;
  const auto address = asio::ip::make_address(options_.address, code);
  if (code || !address.is_loopback()) {
    return Fail(ErrorCode::kInvalidArgument, options_.address + " is not a loopback address");
  }
  const tcp::endpoint endpoint(address, options_.port);
  acceptor_.open(endpoint.protocol(), code);
  if (!code) acceptor_.set_option(tcp::acceptor::reuse_address(true), code);
  if (!code) acceptor_.bind(endpoint, code);
  if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
  if (!code) return {};
  return Fail(ErrorCode::kNetworkError, "listen on " + options_.address + ":" +
                                            std::to_string(options_.port) + ": " + code.message());
}

Task<void> EgressProxy::Impl::AcceptLoop(std::shared_ptr<Impl> self) {
  Alarm pause(self->ctx_.executor(), self->ctx_.clock());
  while (!self->is_stopping_) {
    const auto has_room = [&] { return self->connections_ < self->options_.max_connections; };
    if (!co_await self->changed_.Until(self->ctx_, has_room, "a free connection")) co_return;
    auto [code, socket] = co_await self->acceptor_.async_accept(kAsTuple);
    if (self->is_stopping_) co_return;
    if (!code) {
      self->Spawn("egress.connection", Serve(self, std::move(socket)));
    } else if (code != asio::error::connection_aborted) {
      LOG(warn, "egress.accept_failed", {"what", code.message()});
      co_await pause.Wait(Deadline::At(self->ctx_.clock().Now() + kEgressAcceptPause));
    }
  }
}

Task<void> EgressProxy::Impl::Serve(std::shared_ptr<Impl> self, tcp::socket socket) {
  const Counted counted(*self);
  EgressConnection connection(std::move(socket), self->ctx_, self->kit_);
  co_await connection.Run();
}

// Who comes within that time finds it open.
Task<void> EgressProxy::Impl::Warm(std::shared_ptr<Impl> self,
                                   std::shared_ptr<EgressSession> session, EgressTarget target) {
  const WarmPlace place{.host = target.host, .port = target.port};
  const EgressAsk ask{.session = session->id,
                      .kind = EgressKind::kConnect,
                      .host = target.host,
                      .port = target.port,
                      .method = "CONNECT"};
  if (session->IsUsedUp() || !session->warm->HasRoomFor(place)) co_return;
  if (!self->kit_.rule.DecideHost(ask).is_allowed) co_return;
  const std::uint64_t number = session->warm->Expect(place);
  auto reached = co_await ReachHost(self->ctx_.WithTimeout(self->options_.dial_timeout),
                                    &self->kit_, ask, std::move(target));
  if (reached) {
    session->warm->Keep(number, *std::move(reached));
    Alarm until(self->ctx_.executor(), self->ctx_.clock());
    co_await until.Wait(Deadline::At(self->ctx_.clock().Now() + kKeptWarm));
  }
  session->warm->Drop(number);
}

Task<void> EgressProxy::Impl::Stop(std::shared_ptr<Impl> self) {
  self->CloseDoor();
  if (self->scope_) co_await self->scope_->Stop();
}

std::shared_ptr<EgressSession> EgressProxy::Impl::SessionOf(const SessionId& id) const {
  const auto at = sessions_.find(id.value());
  return at == sessions_.end() ? nullptr : at->second;
}

std::shared_ptr<EgressSession> EgressProxy::Impl::Identify(std::string_view field) const {
  const auto given = CredentialsIn(field);
  if (!given) return nullptr;
  const auto session = SessionOf(SessionId(given->user));
  const bool is_right = IsSameSecret(given->password, session ? session->password : "");
  return session && is_right ? session : nullptr;
}

Result<void> EgressProxy::Impl::Admit(const SessionId& id, std::string password,
                                      EgressLimits limits) {
  if (id.empty() || id.value().contains(':')) {
    return Fail(ErrorCode::kInvalidArgument, "a session at the egress proxy needs an id, no colon");
  }
  auto session =
      std::make_shared<EgressSession>(EgressSession{.id = id,
                                                    .password = std::move(password),
                                                    .limits = limits,
                                                    .counts = {},
                                                    .connections = {},
                                                    .warm = std::make_shared<WarmSockets>()});
  if (!sessions_.try_emplace(id.value(), std::move(session)).second) {
    return Fail(ErrorCode::kAlreadyExists, "session " + id.value() + " is at the egress proxy");
  }
  return {};
}

void EgressProxy::Impl::Dismiss(const SessionId& id) {
  const auto session = SessionOf(id);
  if (!session) return;
  sessions_.erase(id.value());
  session->warm->Clear();
  // Each of them may leave the set on the way.
  const std::set<EgressConnection*> connections = session->connections;
  for (EgressConnection* connection : connections) {
    if (session->connections.contains(connection)) connection->BreakOff();
  }
}

EgressProxy::EgressProxy(const Executor& executor, Clock& clock, Resolver& resolver,
                         EgressRule& rule, EgressObserver& observer, EgressOptions options)
    : impl_(std::make_shared<Impl>(executor, clock, resolver, rule, observer, std::move(options))) {
}

std::string EgressProxy::NewPassword() {
  return RandomHex(kPasswordBytes);
}

EgressProxy::~EgressProxy() {
  impl_->BreakOff();
}

Result<void> EgressProxy::Listen() {
  TRY(impl_->Bind());
  impl_->Spawn("egress.accept", Impl::AcceptLoop(impl_));
  return {};
}

Task<void> EgressProxy::Stop() {
  co_await Impl::Stop(impl_);
}

Result<EgressCredentials> EgressProxy::Admit(const SessionId& session, EgressLimits limits) {
  EgressCredentials credentials{.user = session.value(), .password = NewPassword()};
  TRY(impl_->Admit(session, credentials.password, limits));
  return credentials;
}

Result<void> EgressProxy::AdmitWith(const SessionId& session, std::string password,
                                    EgressLimits limits) {
  return impl_->Admit(session, std::move(password), limits);
}

void EgressProxy::Dismiss(const SessionId& session) {
  impl_->Dismiss(session);
}

void EgressProxy::Warm(const SessionId& session, const std::string& host, std::uint16_t port) {
  auto known = impl_->SessionOf(session);
  auto target = ParseTunnelTarget(host + ":" + std::to_string(port));
  if (!known || !target || IsBadPort(port)) return;
  impl_->Spawn("egress.warm", Impl::Warm(impl_, std::move(known), *std::move(target)));
}

std::optional<EgressCounts> EgressProxy::CountsOf(const SessionId& session) const {
  const auto found = impl_->SessionOf(session);
  if (!found) return std::nullopt;
  return found->counts;
}

std::uint16_t EgressProxy::port() const {
  return impl_->port();
}

std::size_t EgressProxy::connections() const {
  return impl_->connections();
}

}  // namespace falconer::net
