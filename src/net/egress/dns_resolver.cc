#include "net/egress/dns_resolver.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <sys/random.h>
#include <utility>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "base/check.h"
#include "base/text.h"
#include "net/io_token.h"
#include "net/io_watch.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using asio::ip::udp;

constexpr std::size_t kMaxDnsReply = 65535;

// Whoever wants to answer in the name server's place has to guess it.
std::uint16_t RandomQueryId() {
  std::uint16_t id = 0;
  const auto got = ::getrandom(&id, sizeof id, 0);
  CHECK(got == sizeof id, "the kernel has no randomness");
  return id;
}

asio::ip::address AddressOf(const DnsRecord& record) {
  if (record.type == DnsType::kA) {
    asio::ip::address_v4::bytes_type bytes;
    std::memcpy(bytes.data(), record.data.data(), bytes.size());
    return asio::ip::address_v4(bytes);
  }
  asio::ip::address_v6::bytes_type bytes;
  std::memcpy(bytes.data(), record.data.data(), bytes.size());
  return asio::ip::address_v6(bytes);
}

// The name that `name` is an alias of according to the reply, itself when it is none.
std::string AliasOf(const DnsReply& reply, std::string name) {
  for (std::size_t step = 0; step < reply.answers.size(); ++step) {
    const auto at = std::ranges::find_if(reply.answers, [&](const DnsRecord& record) {
      return record.type == DnsType::kCname && record.name == name;
    });
    if (at == reply.answers.end()) break;
    name = at->data;
  }
  return name;
}

Addresses AddressesOf(const DnsReply& reply, const DnsQuestion& question) {
  Addresses found;
  for (const DnsRecord& record : reply.answers) {
    if (record.type == question.type && record.name == question.name) {
      found.push_back(AddressOf(record));
    }
  }
  return found;
}

Result<void> CheckReply(const DnsReply& reply, const std::string& name) {
  switch (reply.status) {
    case DnsReply::Status::kOk:
      return {};
    case DnsReply::Status::kNoSuchName:
      return Fail(ErrorCode::kNotFound, "there is no host " + name);
    case DnsReply::Status::kFailed:
      return Fail(ErrorCode::kNetworkError, "the name server failed to look up " + name);
  }
  std::unreachable();
}

}  // namespace

DnsResolver::DnsResolver(udp::endpoint server) : DnsResolver(std::move(server), Options{}) {
}

DnsResolver::DnsResolver(udp::endpoint server, Options options)
    : server_(std::move(server)), options_(options) {
}

Task<Result<Addresses>> DnsResolver::Resolve(CallContext ctx, std::string name) {
  name = ToLower(name);
  if (name.ends_with('.')) name.pop_back();
  using asio::experimental::awaitable_operators::operator&&;
  auto [v4, v6] = co_await (ResolveType(ctx, {.name = name, .type = DnsType::kA}) &&
                            ResolveType(ctx, {.name = name, .type = DnsType::kAaaa}));
  // One kind is enough; a host that answers for one of them only is common.
  if (!v4 && !v6) co_return Fail(v4.error());
  Addresses all = v4.value_or(Addresses());
  if (v6) all.insert(all.end(), v6->begin(), v6->end());
  if (all.empty() && !v4) co_return Fail(v4.error());
  if (all.empty() && !v6) co_return Fail(v6.error());
  if (all.empty()) co_return Fail(ErrorCode::kNotFound, "host " + name + " has no address");
  co_return Interleaved(all);
}

Task<Result<Addresses>> DnsResolver::ResolveType(CallContext ctx, DnsQuestion question) {
  for (int alias = 0; alias <= options_.max_aliases; ++alias) {
    CO_TRY_ASSIGN(const DnsReply reply, co_await Ask(ctx, question));
    CO_TRY(CheckReply(reply, question.name));
    std::string real = AliasOf(reply, question.name);
    const bool is_alias = real != question.name;
    question.name = std::move(real);
    Addresses found = AddressesOf(reply, question);
    if (!found.empty() || !is_alias) co_return found;
  }
  co_return Fail(ErrorCode::kNetworkError, "a chain of aliases is too long");
}

Task<Result<DnsReply>> DnsResolver::Ask(CallContext ctx, DnsQuestion question) {
  Result<DnsReply> reply = Fail(ErrorCode::kTimeout, "the name server does not answer");
  for (int i = 0; i < options_.tries; ++i) {
    reply = co_await AskOnce(ctx.WithTimeout(options_.try_timeout), question);
    if (reply && reply->is_truncated) {
      reply = co_await AskByTcp(ctx.WithTimeout(options_.try_timeout), question);
    }
    if (reply) co_return reply;
    CO_TRY(ctx.StillWanted("the name server"));
  }
  co_return reply;
}

Task<Result<DnsReply>> DnsResolver::AskOnce(CallContext ctx, DnsQuestion question) {
  const std::uint16_t id = RandomQueryId();
  CO_TRY_ASSIGN(const std::string query, WriteDnsQuery(id, question));
  udp::socket socket(ctx.executor());
  const IoWatch watch(ctx, [&] {
    boost::system::error_code ignored;
    socket.close(ignored);
  });
  // Connected: the kernel drops what does not come from the server.
  boost::system::error_code code;
  socket.connect(server_, code);
  if (code) co_return Fail(watch.Explain(code, "reach the name server"));
  const auto [unsent, sent] = co_await socket.async_send(asio::buffer(query), kAsTuple);
  if (unsent) co_return Fail(watch.Explain(unsent, "ask the name server"));
  std::string bytes(kMaxDnsReply, '\0');
  while (true) {
    const auto [failed, size] = co_await socket.async_receive(asio::buffer(bytes), kAsTuple);
    if (failed || watch.has_fired()) {
      co_return Fail(watch.Explain(failed, "wait for the name server"));
    }
    // What answers another question is late or forged: the right answer may still come.
    auto reply = ReadDnsReply(std::string_view(bytes).substr(0, size));
    if (reply && reply->id == id && reply->question == question) co_return reply;
  }
}

Task<Result<DnsReply>> DnsResolver::AskByTcp(CallContext ctx, DnsQuestion question) {
  const std::uint16_t id = RandomQueryId();
  CO_TRY_ASSIGN(const std::string query, WriteDnsQuery(id, question));
  tcp::socket socket(ctx.executor());
  const IoWatch watch(ctx, [&] {
    boost::system::error_code ignored;
    socket.close(ignored);
  });
  const tcp::endpoint server(server_.address(), server_.port());
  const auto [refused] = co_await socket.async_connect(server, kAsTuple);
  if (refused) co_return Fail(watch.Explain(refused, "reach the name server"));
  std::array<unsigned char, 2> size = {static_cast<unsigned char>(query.size() >> 8),
                                       static_cast<unsigned char>(query.size() & 0xff)};
  const std::array<asio::const_buffer, 2> parts = {asio::buffer(size), asio::buffer(query)};
  const auto [unsent, sent] = co_await asio::async_write(socket, parts, kAsTuple);
  if (unsent) co_return Fail(watch.Explain(unsent, "ask the name server"));
  const auto [no_size, two] = co_await asio::async_read(socket, asio::buffer(size), kAsTuple);
  if (no_size) co_return Fail(watch.Explain(no_size, "wait for the name server"));
  std::string bytes(static_cast<std::size_t>(size[0]) << 8 | size[1], '\0');
  const auto [no_reply, all] = co_await asio::async_read(socket, asio::buffer(bytes), kAsTuple);
  if (no_reply) co_return Fail(watch.Explain(no_reply, "wait for the name server"));
  CO_TRY_ASSIGN(DnsReply reply, ReadDnsReply(bytes));
  if (reply.id != id || reply.question != question || reply.is_truncated) {
    co_return Fail(ErrorCode::kNetworkError, "the name server answered another question");
  }
  co_return reply;
}

}  // namespace falconer::net
