#include "net/tls_client.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>

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

}  // namespace

Result<void> PrepareTlsClient(ssl::context& context, const TlsTrust& trust) {
  TRY(Trust(context, trust));
  context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  if (::SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION) == 1) return {};
  return Fail(ErrorCode::kInternalError, "TLS 1.2 is not to be had");
}

void ExpectHost(ByteStream::Tls& stream, const std::string& host) {
  stream.set_verify_callback(ssl::host_name_verification(host));
  boost::system::error_code is_name;
  boost::asio::ip::make_address(host, is_name);
  if (is_name) ::SSL_set_tlsext_host_name(stream.native_handle(), host.c_str());
}

}  // namespace falconer::net
