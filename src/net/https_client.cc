#include "net/https_client.h"

#include <utility>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>

#include "net/http_exchange.h"

namespace falconer::net {
namespace {

namespace ssl = boost::asio::ssl;

Result<void> Trust(ssl::context& context, const TlsTrust& trust) {
  boost::system::error_code failed;
  if (trust.authorities.empty()) {
    context.set_default_verify_paths(failed);
  } else {
    context.load_verify_file(trust.authorities.string(), failed);
  }
  if (!failed) return {};
  return Fail(ErrorCode::kIoError, "cannot read certificate authorities: " + failed.message());
}

Result<void> Prepare(ssl::context& context, const TlsTrust& trust) {
  TRY(Trust(context, trust));
  context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  if (::SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION) == 1) return {};
  return Fail(ErrorCode::kInternalError, "TLS 1.2 is not to be had");
}

// The name in the certificate must be the one that was asked for, which servers of several are told
// beforehand.
void Expect(ByteStream::Tls& stream, const std::string& host) {
  stream.set_verify_callback(ssl::host_name_verification(host));
  boost::system::error_code is_name;
  boost::asio::ip::make_address(host, is_name);
  if (is_name) ::SSL_set_tlsext_host_name(stream.native_handle(), host.c_str());
}

}  // namespace

Task<Result<HttpReply>> SendHttps(CallContext ctx, HttpCall call, TlsTrust trust) {
  CO_TRY_ASSIGN(const PlainUrl address, ParsePlainUrl(call.url, "https"));
  const auto limit = call.max_reply_bytes;
  CO_TRY_ASSIGN(auto message, RequestMessageOf(std::move(call), address));
  ssl::context context(ssl::context::tls_client);
  CO_TRY(Prepare(context, trust));
  CO_TRY_ASSIGN(auto socket, co_await Dial(ctx, address));
  ByteStream stream(std::move(socket), context);
  const IoWatch watch(ctx, [&] { stream.Close(); });
  Expect(stream.tls(), address.host);
  const auto untrusted = co_await stream.Handshake(ssl::stream_base::client);
  if (untrusted) co_return Fail(watch.Explain(untrusted, "agree on TLS with " + address.authority));
  co_return co_await Exchange(&stream, std::move(message), limit, &watch);
}

Task<Result<HttpReply>> SendWeb(CallContext ctx, HttpCall call, TlsTrust trust) {
  if (!call.url.starts_with("https:")) return SendHttp(std::move(ctx), std::move(call));
  return SendHttps(std::move(ctx), std::move(call), std::move(trust));
}

}  // namespace falconer::net
