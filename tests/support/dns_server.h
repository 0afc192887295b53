#pragma once
// DnsServer: a small name server on loopback, over UDP and TCP, that answers as a test wants; also
// late, wrong, or something else each time.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/async/call_context.h"
#include "base/async/task_scope.h"
#include "net/egress/dns_message.h"

namespace falconer::test {

struct DnsAnswer {
  std::vector<net::DnsRecord> records;
  int status = 0;  // 3: no such name
  bool is_truncated = false;
};

inline std::string DnsName(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::string_view label = name.substr(0, name.find('.'));
    out.push_back(static_cast<char>(label.size()));
    out.append(label);
    name.remove_prefix(std::min(label.size() + 1, name.size()));
  }
  return out + '\0';
}

inline std::string DnsShort(std::size_t value) {
  return {static_cast<char>(value >> 8 & 0xff), static_cast<char>(value & 0xff)};
}

inline std::string WriteDnsReply(std::string_view query, const DnsAnswer& answer) {
  std::string out(query.substr(0, 2));
  out += static_cast<char>(0x81 | (answer.is_truncated ? 0x02 : 0));
  out += static_cast<char>(0x80 | answer.status);
  out += DnsShort(1) + DnsShort(answer.records.size()) + DnsShort(0) + DnsShort(0);
  out += query.substr(12);
  for (const net::DnsRecord& record : answer.records) {
    const bool is_alias = record.type == net::DnsType::kCname;
    const std::string data = is_alias ? DnsName(record.data) : record.data;
    out += DnsName(record.name) + DnsShort(static_cast<std::size_t>(record.type)) + DnsShort(1);
    out += DnsShort(0) + DnsShort(0) + DnsShort(data.size()) + data;
  }
  return out;
}

// "127.0.0.1" as the four bytes of an A record.
inline net::DnsRecord ARecord(std::string name, const char* address) {
  const auto bytes = boost::asio::ip::make_address_v4(address).to_bytes();
  return {std::move(name), net::DnsType::kA, std::string(bytes.begin(), bytes.end())};
}

inline net::DnsRecord AaaaRecord(std::string name, const char* address) {
  const auto bytes = boost::asio::ip::make_address_v6(address).to_bytes();
  return {std::move(name), net::DnsType::kAaaa, std::string(bytes.begin(), bytes.end())};
}

class DnsServer {
 public:
  enum class Way : std::uint8_t { kUdp, kTcp };
  // What to send for a query, in order; nothing for silence.
  using Handler = std::function<std::vector<std::string>(const net::DnsQuestion& question,
                                                         std::string_view query, Way way)>;

  DnsServer(const CallContext& ctx, Handler handler)
      : handler_(std::move(handler)),
        acceptor_(ctx.executor(), {boost::asio::ip::address_v4::loopback(), 0}),
        socket_(ctx.executor(), endpoint()),
        scope_(ctx.executor()) {
    scope_.Spawn("test.dns.udp", ServeUdp());
    scope_.Spawn("test.dns.tcp", ServeTcp());
  }
  DnsServer(const DnsServer&) = delete;
  DnsServer& operator=(const DnsServer&) = delete;

  boost::asio::ip::udp::endpoint endpoint() const {
    return {boost::asio::ip::address_v4::loopback(), acceptor_.local_endpoint().port()};
  }
  const std::vector<net::DnsQuestion>& asked() const { return asked_; }
  Task<void> Stop() { co_await scope_.Stop(); }

 private:
  static constexpr auto kAsTuple = boost::asio::as_tuple(boost::asio::use_awaitable);

  std::vector<std::string> RepliesTo(std::string query, Way way) {
    std::string as_reply = query;
    as_reply[2] = static_cast<char>(as_reply[2] | 0x80);
    const auto parsed = net::ReadDnsReply(as_reply);
    if (!parsed) return {};
    asked_.push_back(parsed->question);
    return handler_(parsed->question, query, way);
  }

  Task<void> ServeUdp() {
    std::array<char, 2048> bytes{};
    while (true) {
      boost::asio::ip::udp::endpoint from;
      const auto [code, size] =
          co_await socket_.async_receive_from(boost::asio::buffer(bytes), from, kAsTuple);
      if (code) co_return;
      for (const std::string& reply : RepliesTo(std::string(bytes.data(), size), Way::kUdp)) {
        co_await socket_.async_send_to(boost::asio::buffer(reply), from, kAsTuple);
      }
    }
  }

  Task<void> ServeTcp() {
    while (true) {
      auto [code, socket] = co_await acceptor_.async_accept(kAsTuple);
      if (code) co_return;
      std::array<unsigned char, 2> size{};
      co_await boost::asio::async_read(socket, boost::asio::buffer(size), kAsTuple);
      std::string query(static_cast<std::size_t>(size[0]) << 8 | size[1], '\0');
      co_await boost::asio::async_read(socket, boost::asio::buffer(query), kAsTuple);
      for (const std::string& reply : RepliesTo(query, Way::kTcp)) {
        const std::string framed = DnsShort(reply.size()) + reply;
        co_await boost::asio::async_write(socket, boost::asio::buffer(framed), kAsTuple);
      }
    }
  }

  Handler handler_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::udp::socket socket_;
  std::vector<net::DnsQuestion> asked_;
  TaskScope scope_;
};

}  // namespace falconer::test
