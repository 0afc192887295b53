#include "bench/control/proxy_rows.h"

#include <ctime>
#include <pthread.h>
#include <thread>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "app/egress/egress_book.h"
#include "app/egress/policy_egress_rule.h"
#include "base/async/task_scope.h"
#include "base/base64.h"
#include "net/egress/egress_proxy.h"
#include "net/egress/system_resolver.h"

namespace falconer::bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Seconds = std::chrono::duration<double>;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
constexpr int kClients = 32;
constexpr int kRequestsEach = 1500;
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1024\r\n\r\n";

// The processor time a thread has used so far.
double CpuSecondsOf(std::thread& thread) {
  clockid_t clock{};
  timespec time{};
  if (::pthread_getcpuclockid(thread.native_handle(), &clock) != 0) return 0;
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Reads until `bytes` bytes have come.
Task<bool> ReadBytes(tcp::socket* socket, std::size_t bytes) {
  std::string buffer(std::size_t{16} << 10, '\0');
  while (bytes > 0) {
    const auto [code, got] = co_await socket->async_read_some(asio::buffer(buffer), kAsTuple);
    if (code || got > bytes) co_return false;
    bytes -= got;
  }
  co_return true;
}

// A host that answers every head it sees.
Task<void> ServeOne(tcp::socket socket) {
  const std::string answer = std::string(kAnswer) + std::string(1024, 'x');
  std::string seen;
  std::string buffer(std::size_t{4} << 10, '\0');
  while (true) {
    const auto [code, got] = co_await socket.async_read_some(asio::buffer(buffer), kAsTuple);
    if (code) co_return;
    seen.append(buffer, 0, got);
    for (auto end = seen.find(kHeadEnd); end != seen.npos; end = seen.find(kHeadEnd)) {
      seen.erase(0, end + kHeadEnd.size());
      const auto [unsent, sent] =
          co_await asio::async_write(socket, asio::buffer(answer), kAsTuple);
      if (unsent) co_return;
    }
  }
}

Task<void> ServeAll(tcp::acceptor* acceptor, TaskScope* scope) {
  while (true) {
    auto [code, socket] = co_await acceptor->async_accept(kAsTuple);
    if (code) co_return;
    scope->Spawn("bench.host", ServeOne(std::move(socket)));
  }
}

// The size of one answer as it comes through the proxy.
Task<std::size_t> AnswerSize(tcp::socket* socket, const std::string* request) {
  co_await asio::async_write(*socket, asio::buffer(*request), kAsTuple);
  std::string all;
  std::string buffer(std::size_t{4} << 10, '\0');
  while (true) {
    const auto [code, got] = co_await socket->async_read_some(asio::buffer(buffer), kAsTuple);
    if (code) co_return 0;
    all.append(buffer, 0, got);
    const auto end = all.find(kHeadEnd);
    if (end != all.npos && all.size() >= end + kHeadEnd.size() + 1024) co_return all.size();
  }
}

Task<void> Ask(tcp::endpoint proxy, std::string request, int* done) {
  tcp::socket socket(co_await asio::this_coro::executor);
  const auto [code] = co_await socket.async_connect(proxy, kAsTuple);
  if (code) co_return;
  const std::size_t size = co_await AnswerSize(&socket, &request);
  for (int i = 1; size > 0 && i < kRequestsEach; ++i) {
    co_await asio::async_write(socket, asio::buffer(request), kAsTuple);
    if (!co_await ReadBytes(&socket, size)) co_return;
    ++*done;
  }
}

Task<void> AskAll(tcp::endpoint proxy, std::string request, int* done, asio::io_context* io) {
  TaskScope clients(io->get_executor());
  for (int i = 0; i < kClients; ++i) clients.Spawn("bench.client", Ask(proxy, request, done));
  co_await clients.Join();
  io->stop();
}

struct Load {
  int requests = 0;
  double wall = 0;
  double cpu = 0;
};

// The proxy alone on its thread; clients and host together on this one.
Result<Load> RunLoad() {
  SystemClock clock;
  auto rules = policy::DomainRules::Create({.navigate = {.allow = {"127.0.0.1"}, .deny = {}}});
  if (!rules) return std::unexpected(rules.error());
  app::PolicyEgressRule rule(*std::move(rules));
  app::EgressBook book;
  net::SystemResolver resolver;
  // What is left of connections goes with it, and writes into the book until then.
  asio::io_context proxy_io;
  net::EgressProxy proxy(proxy_io.get_executor(), clock, resolver, rule, book);
  TRY(proxy.Listen());
  const SessionId session("bench");
  book.Open(session);
  TRY_ASSIGN(const auto pass, proxy.Admit(session));
  const auto guard = asio::make_work_guard(proxy_io);
  std::thread thread([&] { proxy_io.run(); });

  asio::io_context io;
  tcp::acceptor host(io, {asio::ip::address_v4::loopback(), 0});
  TaskScope scope(io.get_executor());
  scope.Spawn("bench.hosts", ServeAll(&host, &scope));
  const std::string request =
      "GET http://127.0.0.1:" + std::to_string(host.local_endpoint().port()) +
      "/x HTTP/1.1\r\nHost: 127.0.0.1\r\nProxy-Authorization: Basic " +
      EncodeBase64(pass.user + ":" + pass.password) + "\r\n\r\n";
  Load load;
  const auto start = std::chrono::steady_clock::now();
  const double cpu = CpuSecondsOf(thread);
  scope.Spawn("bench.load", AskAll({asio::ip::address_v4::loopback(), proxy.port()}, request,
                                   &load.requests, &io));
  io.run();
  load.wall = Seconds(std::chrono::steady_clock::now() - start).count();
  load.cpu = CpuSecondsOf(thread) - cpu;
  proxy_io.stop();
  thread.join();
  return load;
}

}  // namespace

Result<std::vector<Row>> MeasureProxy() {
  TRY_ASSIGN(const Load load, RunLoad());
  if (load.requests == 0 || load.cpu <= 0)
    return falconer::Fail(ErrorCode::kInternalError, "nothing came through the proxy");
  const auto requests = static_cast<double>(load.requests);
  return std::vector<Row>{
      {.name = "egress proxy, requests per second of one core",
       .value = requests / load.cpu,
       .unit = "1/s",
       .aim = Aim{Aim::Bound::kAtLeast, 2000, Aim::Of::kValue}},
      {.name = "egress proxy, requests per second beside clients and host",
       .value = requests / load.wall,
       .unit = "1/s"},
  };
}

}  // namespace falconer::bench
