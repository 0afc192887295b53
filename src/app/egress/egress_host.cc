#include "app/egress/egress_host.h"

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "app/egress/egress_book.h"
#include "app/egress/policy_egress_rule.h"
#include "app/egress/resolver_from.h"
#include "base/async/task_scope.h"
#include "base/log.h"
#include "net/egress/egress_proxy.h"
#include "net/egress/local_names.h"
#include "net/egress/resolver_cache.h"

namespace falconer::app {
namespace {

namespace asio = boost::asio;

}  // namespace

// The proxy, what it works with, and its thread. The proxy is touched on that thread only.
class EgressHost::Works {
 public:
  Works(EgressConfig config, policy::DomainRules rules)
      : rule_(std::move(rules)),
        limits_(config.limits),
        source_(ResolverFrom(config.name_servers)),
        cache_(io_.get_executor(), clock_, *source_, {.keep = config.dns_cache}),
        names_(cache_),
        proxy_(io_.get_executor(), clock_, names_, rule_, book,
               {.upstream = std::move(config.upstream)}),
        ending_(io_.get_executor()),
        work_(io_.get_executor()) {}
  // NOLINTNEXTLINE(bugprone-exception-escape): only when memory runs out
  ~Works() { Stop(); }
  Works(const Works&) = delete;
  Works& operator=(const Works&) = delete;

  Result<void> Start() {
    TRY(proxy_.Listen());
    port_ = proxy_.port();
    try {
      thread_ = std::thread([this] { io_.run(); });
    } catch (const std::system_error& failure) {
      return Fail(ErrorCode::kIoError,
                  std::string("no thread for the egress proxy: ") + failure.what());
    }
    return {};
  }

  void Stop() {
    if (!thread_.joinable()) return;
    asio::post(io_, [this] { ending_.Spawn("egress.stop", End()); });
    thread_.join();
  }

  // What is posted here is done before any connection of the session can come.
  void Admit(const SessionId& session, std::string password) {
    book.Open(session);
    asio::post(io_, [this, session, password = std::move(password)] {
      const auto admitted = proxy_.AdmitWith(session, password, limits_);
      if (!admitted) LOG(error, "egress.not_admitted", {"why", admitted.error().message()});
    });
  }

  void Govern(const SessionId& session, std::shared_ptr<const browser::EgressJudge> judge) {
    rule_.Govern(session, std::move(judge));
  }

  void Dismiss(const SessionId& session) {
    asio::post(io_, [this, session] {
      proxy_.Dismiss(session);
      rule_.Forget(session);
      book.Close(session);
    });
  }

  void Warm(const SessionId& session, const std::string& host, std::uint16_t port) {
    asio::post(io_, [this, session, host, port] { proxy_.Warm(session, host, port); });
  }

  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }

  EgressBook book;

 private:
  Task<void> End() {
    co_await proxy_.Stop();
    io_.stop();
  }

  PolicyEgressRule rule_;
  SystemClock clock_;
  asio::io_context io_{1};
  net::EgressLimits limits_;
  std::uint16_t port_ = 0;
  std::unique_ptr<net::Resolver> source_;
  net::ResolverCache cache_;
  net::LocalNames names_;
  net::EgressProxy proxy_;
  TaskScope ending_;
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::thread thread_;
};

class EgressHost::Door final : public browser::EgressDoor {
 public:
  explicit Door(std::shared_ptr<Works> works) : works_(std::move(works)) {}

  browser::EgressPass Admit(const SessionId& session) override {
    browser::EgressPass pass{.proxy_server = works_->address(),
                             .user = session.value(),
                             .password = net::EgressProxy::NewPassword()};
    works_->Admit(session, pass.password);
    return pass;
  }
  void Govern(const SessionId& session,
              std::shared_ptr<const browser::EgressJudge> judge) override {
    works_->Govern(session, std::move(judge));
  }
  void Dismiss(const SessionId& session) override { works_->Dismiss(session); }
  void Warm(const SessionId& session, const std::string& host, std::uint16_t port) override {
    works_->Warm(session, host, port);
  }
  model::EgressMark Mark(const SessionId& session) const override {
    return works_->book.Mark(session);
  }
  model::EgressReport Since(const SessionId& session,
                            const model::EgressMark& mark) const override {
    return works_->book.Since(session, mark);
  }

 private:
  std::shared_ptr<Works> works_;
};

Result<std::unique_ptr<EgressHost>> EgressHost::Start(EgressConfig config,
                                                      policy::DomainRules rules) {
  auto works = std::make_shared<Works>(std::move(config), std::move(rules));
  TRY(works->Start());
  return std::unique_ptr<EgressHost>(new EgressHost(std::move(works)));
}

EgressHost::EgressHost(std::shared_ptr<Works> works)
    : works_(std::move(works)), door_(std::make_shared<Door>(works_)) {
}

// NOLINTNEXTLINE(bugprone-exception-escape): only when memory runs out
EgressHost::~EgressHost() {
  works_->Stop();
}

std::shared_ptr<browser::EgressDoor> EgressHost::door() const {
  return door_;
}

std::string EgressHost::address() const {
  return works_->address();
}

}  // namespace falconer::app
