#include "net/egress/checked_web.h"

#include <utility>

#include <boost/asio/ssl/context.hpp>

#include "base/text.h"
#include "net/byte_stream.h"
#include "net/egress/egress_reach.h"
#include "net/http_exchange.h"
#include "net/io_watch.h"
#include "net/tls_client.h"

namespace falconer::net {
namespace {

namespace ssl = boost::asio::ssl;

// Who sends knows himself what became of it.
class Unobserved final : public EgressObserver {
 public:
  void OnOpened(const EgressEvent& /*event*/) override {}
  void OnEnded(const EgressEvent& /*event*/) override {}
};

Result<EgressTarget> TargetOf(const PlainUrl& address) {
  const std::string host = ToLower(address.host);
  const bool is_v6 = host.contains(':');
  return ParseTunnelTarget((is_v6 ? "[" + host + "]" : host) + ":" + address.port);
}

Error AsWebError(const EgressRefusal& refusal, const std::string& authority) {
  if (refusal.outcome != EgressOutcome::kRefused) {
    return {refusal.status == 504 ? ErrorCode::kTimeout : ErrorCode::kNetworkError,
            authority + ": " + refusal.reason};
  }
  return {ErrorCode::kSecurityDomainBlock,
          "nothing may be sent to " + authority,
          {{"reason", refusal.reason}, {"rule", refusal.rule}, {"denial_id", refusal.decision}}};
}

Task<std::expected<ReachedHost, EgressRefusal>> Reach(CallContext ctx, const EgressKit* kit,
                                                      EgressAsk ask, EgressTarget target) {
  if (IsBadPort(target.port)) co_return Refuse(403, "bad_port");
  const EgressVerdict verdict = kit->rule.DecideHost(ask);
  if (!verdict.is_allowed) co_return std::unexpected(RefusalBy(verdict));
  co_return co_await ReachHost(ctx.WithTimeout(kit->options.dial_timeout), kit, std::move(ask),
                               std::move(target));
}

Task<Result<HttpReply>> SendPlain(CallContext ctx, ReachedHost host, HttpRequestMessage message,
                                  std::size_t limit) {
  ByteStream stream(std::move(host.socket));
  const IoWatch watch(ctx, [&] { stream.Close(); });
  co_return co_await Exchange(&stream, std::move(message), limit, &watch);
}

// How a call goes over TLS: to whom, and who vouches for him.
struct TlsWay {
  PlainUrl address;
  TlsTrust trust;
};

Task<Result<HttpReply>> SendTls(CallContext ctx, ReachedHost host, HttpRequestMessage message,
                                std::size_t limit, TlsWay way) {
  ssl::context context(ssl::context::tls_client);
  CO_TRY(PrepareTlsClient(context, way.trust));
  ByteStream stream(std::move(host.socket), context);
  const IoWatch watch(ctx, [&] { stream.Close(); });
  ExpectHost(stream.tls(), way.address.host);
  const auto untrusted = co_await stream.Handshake(ssl::stream_base::client);
  if (untrusted)
    co_return Fail(watch.Explain(untrusted, "agree on TLS with " + way.address.authority));
  co_return co_await Exchange(&stream, std::move(message), limit, &watch);
}

}  // namespace

CheckedWeb::CheckedWeb(Resolver& resolver, EgressRule& rule, EgressOptions options, TlsTrust trust)
    : resolver_(resolver), rule_(rule), options_(std::move(options)), trust_(std::move(trust)) {
}

Task<Result<HttpReply>> CheckedWeb::Send(CallContext ctx, HttpCall call) {
  const bool is_tls = call.url.starts_with("https:");
  CO_TRY_ASSIGN(PlainUrl address, ParsePlainUrl(call.url, is_tls ? "https" : "http"));
  CO_TRY_ASSIGN(EgressTarget target, TargetOf(address));
  EgressAsk ask{.session = SessionId(),
                .kind = is_tls ? EgressKind::kConnect : EgressKind::kHttp,
                .host = target.host,
                .port = target.port,
                .method = call.method};
  const auto limit = call.max_reply_bytes;
  CO_TRY_ASSIGN(HttpRequestMessage message, RequestMessageOf(std::move(call), address));
  Unobserved observer;
  std::uint64_t last_event = 0;
  const EgressKit kit{resolver_, rule_, observer, options_, nullptr, &last_event};
  auto host = co_await Reach(ctx, &kit, std::move(ask), std::move(target));
  if (!host) co_return Fail(AsWebError(host.error(), address.authority));
  if (!is_tls)
    co_return co_await SendPlain(std::move(ctx), *std::move(host), std::move(message), limit);
  co_return co_await SendTls(std::move(ctx), *std::move(host), std::move(message), limit,
                             {.address = std::move(address), .trust = trust_});
}

}  // namespace falconer::net
