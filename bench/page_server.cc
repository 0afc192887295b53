#include "bench/page_server.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cstdint>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include "bench/fd.h"
#include "bench/pages.h"

namespace falconer::bench {
namespace {

constexpr std::size_t kLongestRequest = 64 * 1024;

struct Listener {
  Fd socket;
  std::string origin;
};

struct Connection {
  Fd socket;
  std::string request;
  std::string_view answer;  // of a rendered page; the pages outlive every connection
};

Outcome<Listener> Listen(const char* address) {
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_in where{};
  where.sin_family = AF_INET;
  inet_pton(AF_INET, address, &where.sin_addr);
  socklen_t size = sizeof where;
  auto* generic = reinterpret_cast<sockaddr*>(&where);
  if (!socket.is_open() || bind(socket.get(), generic, size) != 0 ||
      listen(socket.get(), 256) != 0 || getsockname(socket.get(), generic, &size) != 0) {
    return Fail(fmt::format("cannot listen on {}", address));
  }
  auto origin = fmt::format("http://{}:{}", address, ntohs(where.sin_port));
  return Listener{std::move(socket), std::move(origin)};
}

std::string Render(std::string_view status, std::string_view body) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n"
      "Cache-Control: no-store\r\n\r\n{}",
      status, body.size(), body);
}

// "GET /form?n=1 HTTP/1.1" -> "/form".
std::string PathOf(std::string_view request) {
  const auto start = std::min(request.find(' '), request.size() - 1) + 1;
  return std::string(request.substr(start, request.find_first_of(" ?", start) - start));
}

}  // namespace

struct PageServer::Impl {
  Listener near;
  Listener far;
  Fd stop{eventfd(0, EFD_CLOEXEC)};
  Site site;
  std::map<std::string, std::string, std::less<>> pages;
  std::string missing = Render("404 Not Found", "no such page");
  std::vector<Connection> connections;
  std::jthread thread;

  void Loop();
  void Accept(const Listener& listener);
  // False when the connection is over.
  bool Serve(Connection& connection) const;
  bool Receive(Connection& connection) const;
  static bool Send(Connection& connection);
};

void PageServer::Impl::Loop() {
  while (true) {
    std::vector<pollfd> waits = {
        {stop.get(), POLLIN, 0}, {near.socket.get(), POLLIN, 0}, {far.socket.get(), POLLIN, 0}};
    for (const Connection& each : connections) {
      const short events = each.answer.empty() ? POLLIN : POLLOUT;
      waits.push_back({each.socket.get(), events, 0});
    }
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
    if (waits[0].revents != 0) return;
    for (std::size_t i = 3; i < waits.size(); ++i) {
      Connection& connection = connections[i - 3];
      if (waits[i].revents != 0 && !Serve(connection)) connection.socket.Reset();
    }
    std::erase_if(connections, [](const Connection& each) { return !each.socket.is_open(); });
    if (waits[1].revents != 0) Accept(near);
    if (waits[2].revents != 0) Accept(far);
  }
}

void PageServer::Impl::Accept(const Listener& listener) {
  Fd socket(accept4(listener.socket.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.is_open()) return;
  const int on = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  connections.push_back({std::move(socket), "", ""});
}

bool PageServer::Impl::Serve(Connection& connection) const {
  if (connection.answer.empty() && !Receive(connection)) return false;
  return connection.answer.empty() || Send(connection);
}

bool PageServer::Impl::Receive(Connection& connection) const {
  char buffer[4096];
  const auto got = recv(connection.socket.get(), buffer, sizeof buffer, 0);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0 || connection.request.size() > kLongestRequest) return false;
  connection.request.append(buffer, static_cast<std::size_t>(got));
  const auto end = connection.request.find("\r\n\r\n");
  if (end == std::string::npos) return true;
  const auto page = pages.find(PathOf(connection.request));
  connection.answer = page == pages.end() ? missing : page->second;
  connection.request.erase(0, end + 4);
  return true;
}

bool PageServer::Impl::Send(Connection& connection) {
  const auto& left = connection.answer;
  const auto sent = send(connection.socket.get(), left.data(), left.size(), MSG_NOSIGNAL);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  connection.answer.remove_prefix(static_cast<std::size_t>(sent));
  return true;
}

Outcome<std::unique_ptr<PageServer>> PageServer::Start() {
  auto impl = std::make_unique<Impl>();
  BENCH_TRY_ASSIGN(impl->near, Listen("127.0.0.1"));
  BENCH_TRY_ASSIGN(impl->far, Listen("127.0.0.2"));
  impl->site = Site{impl->near.origin};
  impl->pages["/form"] = Render("200 OK", FormPage());
  impl->pages["/table"] = Render("200 OK", TablePage());
  impl->pages["/app"] = Render("200 OK", AppPage(impl->far.origin));
  impl->pages["/frame"] = Render("200 OK", FramePage());
  impl->thread = std::jthread([raw = impl.get()] { raw->Loop(); });
  return std::unique_ptr<PageServer>(new PageServer(std::move(impl)));
}

PageServer::PageServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
}

PageServer::~PageServer() {
  eventfd_write(impl_->stop.get(), 1);
}

const Site& PageServer::site() const {
  return impl_->site;
}

}  // namespace falconer::bench
