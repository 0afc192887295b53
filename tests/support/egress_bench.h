#pragma once
// What tests of the egress proxy share: a rule, an observer and a resolver to look into, raw hosts
// on loopback, and a proxy with one session. 127.0.0.2 stands for the public internet and 127.0.0.1
// for the inside.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/base64.h"
#include "net/egress/egress_proxy.h"
#include "tests/support/raw_client.h"
#include "tests/support/raw_peer.h"

namespace falconer::test {

class FakeEgressRule final : public net::EgressRule {
 public:
  net::EgressVerdict DecideHost(const net::EgressAsk& ask) override {
    hosts.push_back(ask.host + ":" + std::to_string(ask.port));
    kinds.push_back(ask.kind);
    if (!refused_hosts.contains(ask.host)) return {.is_allowed = true};
    return {.rule = "test", .reason = "no_allow_rule", .id = "dec_1"};
  }
  net::EgressVerdict DecideAddress(const net::EgressAsk& /*ask*/,
                                   const boost::asio::ip::address& address) override {
    addresses.push_back(address.to_string());
    if (!refused_addresses.contains(address.to_string())) return {.is_allowed = true};
    return {.rule = "addresses", .reason = "address_not_public", .id = "dec_2"};
  }

  std::set<std::string> refused_hosts;
  std::set<std::string> refused_addresses = {"127.0.0.1", "::1"};
  std::vector<std::string> hosts;
  std::vector<net::EgressKind> kinds;
  std::vector<std::string> addresses;
};

class FakeEgressObserver final : public net::EgressObserver {
 public:
  void OnOpened(const net::EgressEvent& event) override { opened.push_back(event); }
  void OnEnded(const net::EgressEvent& event) override {
    ended.push_back(event);
    changed.NotifyAll();
  }
  // Waits until so many have ended.
  Task<void> UntilEnded(CallContext ctx, std::size_t count) {
    const auto has_ended = [&] { return ended.size() >= count; };
    const auto waited =
        co_await changed.Until(ctx.WithTimeout(std::chrono::seconds(10)), has_ended, "events");
    EXPECT_TRUE(waited) << "only " << ended.size() << " ended";
  }

  std::vector<net::EgressEvent> opened;
  std::vector<net::EgressEvent> ended;
  Notifier changed;
};

class FakeResolver final : public net::Resolver {
 public:
  Task<Result<net::Addresses>> Resolve(CallContext ctx, std::string name) override {
    ++asked;
    if (name == "hangs.test") {
      Alarm never(ctx.executor(), ctx.clock());
      auto waited = co_await ctx.Wait(&never, "a name");
      ++given_up;
      CO_TRY(std::move(waited));
    }
    const auto at = names.find(name);
    if (at == names.end()) co_return Fail(ErrorCode::kNotFound, "there is no host " + name);
    net::Addresses found;
    for (const std::string& text : at->second) {
      found.push_back(boost::asio::ip::make_address(text));
    }
    co_return found;
  }

  std::map<std::string, std::vector<std::string>> names = {
      {"site.test", {"127.0.0.2"}},
      {"inside.test", {"127.0.0.1"}},
      {"mixed.test", {"127.0.0.2", "127.0.0.1"}}};
  int asked = 0;
  int given_up = 0;
};

// A host that does with each connection what the test says.
class RawHost {
 public:
  using Script = std::function<Task<void>(RawPeer* peer)>;

  RawHost(const CallContext& ctx, Script script, const char* address = "127.0.0.2",
          std::uint16_t port = 0)
      : script_(std::move(script)),
        acceptor_(ctx.executor(), {boost::asio::ip::make_address(address), port}),
        scope_(ctx.executor()) {
    scope_.Spawn("test.host", Accept());
  }
  RawHost(const RawHost&) = delete;
  RawHost& operator=(const RawHost&) = delete;

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  int accepted() const { return accepted_; }
  Task<void> Stop() { co_await scope_.Stop(); }

 private:
  Task<void> Accept() {
    while (true) {
      auto [code, socket] =
          co_await acceptor_.async_accept(boost::asio::as_tuple(boost::asio::use_awaitable));
      if (code) co_return;
      ++accepted_;
      scope_.Spawn("test.host.connection", Serve(std::move(socket)));
    }
  }
  Task<void> Serve(boost::asio::ip::tcp::socket socket) {
    RawPeer peer(std::move(socket));
    co_await script_(&peer);
  }

  Script script_;
  boost::asio::ip::tcp::acceptor acceptor_;
  int accepted_ = 0;
  TaskScope scope_;
};

// A proxy with the session "s1".
class EgressBench {
 public:
  explicit EgressBench(const CallContext& ctx, net::EgressOptions options = {},
                       net::EgressLimits limits = {}, net::Resolver* other = nullptr)
      : proxy(ctx.executor(), ctx.clock(), other != nullptr ? *other : resolver, rule, observer,
              std::move(options)) {
    const auto listening = proxy.Listen();
    EXPECT_TRUE(listening) << Describe(listening.error());
    auto admitted = proxy.Admit(SessionId("s1"), limits);
    EXPECT_TRUE(admitted);
    credentials = *std::move(admitted);
  }

  // The header field that lets session s1 through.
  std::string Field() const {
    return "Proxy-Authorization: Basic " +
           EncodeBase64(credentials.user + ":" + credentials.password) + "\r\n";
  }
  // "GET http://host:port/path", with more header fields if wanted.
  std::string Get(const std::string& url, const std::string& more = "") const {
    return Request("GET", url, more);
  }
  std::string Request(const std::string& method, const std::string& url,
                      const std::string& more = "") const {
    return method + " " + url + " HTTP/1.1\r\nHost: x\r\n" + Field() + more + "\r\n";
  }
  std::string Connect(const std::string& authority) const {
    return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + Field() + "\r\n";
  }

  FakeEgressRule rule;
  FakeEgressObserver observer;
  FakeResolver resolver;
  net::EgressProxy proxy;
  net::EgressCredentials credentials;
};

}  // namespace falconer::test
