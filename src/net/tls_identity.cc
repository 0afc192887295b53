#include "net/tls_identity.h"

#include <string>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>

#include "base/file.h"
#include "base/log.h"

namespace falconer::net {
namespace {

namespace ssl = boost::asio::ssl;

// What TLS 1.2 may use; those of 1.3 are all as good.
constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
// As the extension spells a list: each name after its length.
constexpr unsigned char kProtocols[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

Error Unusable(const std::filesystem::path& path, std::string_view what,
               const boost::system::error_code& why) {
  return {ErrorCode::kInvalidArgument,
          path.string() + " is " + std::string(what) + ": " + why.message()};
}

// A client that offers protocols of which this is none would not understand a word.
int PickProtocol(SSL* /*connection*/, const unsigned char** picked, unsigned char* size,
                 const unsigned char* offered, unsigned offered_size, void* /*unused*/) {
  unsigned char* found = nullptr;
  const int how =
      ::SSL_select_next_proto(&found, size, kProtocols, sizeof(kProtocols), offered, offered_size);
  *picked = found;
  return how == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Result<void> SetTerms(ssl::context& context) {
  SSL_CTX* const raw = context.native_handle();
  ::SSL_CTX_set_options(
      raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  ::SSL_CTX_set_mode(raw, SSL_MODE_RELEASE_BUFFERS);
  ::SSL_CTX_set_alpn_select_cb(raw, &PickProtocol, nullptr);
  const bool is_set = ::SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION) == 1 &&
                      ::SSL_CTX_set_cipher_list(raw, kCiphers) == 1;
  if (is_set) return {};
  return Fail(ErrorCode::kInternalError, "TLS 1.2 with forward secrecy is not to be had");
}

Result<void> UseCertificate(ssl::context& context, const std::filesystem::path& path) {
  TRY_ASSIGN(const std::string text, ReadFile(path));
  boost::system::error_code failed;
  context.use_certificate_chain(boost::asio::buffer(text), failed);
  if (failed) return Fail(Unusable(path, "no certificate in PEM form", failed));
  return {};
}

Result<void> UseKey(ssl::context& context, const TlsFiles& files) {
  TRY_ASSIGN(const std::string text, ReadFile(files.key));
  boost::system::error_code failed;
  // Nobody is there to be asked for a password.
  context.set_password_callback([](std::size_t, ssl::context::password_purpose) { return ""; },
                                failed);
  if (!failed) context.use_private_key(boost::asio::buffer(text), ssl::context::pem, failed);
  if (failed.value() != 0 &&
      ERR_GET_REASON(static_cast<unsigned long>(failed.value())) == X509_R_KEY_VALUES_MISMATCH) {
    return Fail(Unusable(files.key, "not the key of " + files.certificate.string(), failed));
  }
  if (failed)
    return Fail(Unusable(files.key, "no private key in PEM form without password", failed));
  return {};
}

// Clients will refuse it, but why is more easily seen here.
void WarnOfTime(ssl::context& context, const std::filesystem::path& path) {
  const X509* const shown = ::SSL_CTX_get0_certificate(context.native_handle());
  const bool is_over = ::X509_cmp_current_time(::X509_get0_notAfter(shown)) < 0;
  const bool is_early = ::X509_cmp_current_time(::X509_get0_notBefore(shown)) > 0;
  if (is_over || is_early) {
    LOG(warn, "tls.certificate_not_valid_now", {"file", path.string()},
        {"why", is_over ? "it has expired" : "its time has not come"});
  }
}

}  // namespace

TlsIdentity::TlsIdentity(std::unique_ptr<ssl::context> context) : context_(std::move(context)) {
}

TlsIdentity::~TlsIdentity() = default;

Result<std::shared_ptr<TlsIdentity>> TlsIdentity::Load(const TlsFiles& files) {
  auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
  TRY(SetTerms(*context));
  TRY(UseCertificate(*context, files.certificate));
  TRY(UseKey(*context, files));
  WarnOfTime(*context, files.certificate);
  return std::shared_ptr<TlsIdentity>(new TlsIdentity(std::move(context)));
}

}  // namespace falconer::net
