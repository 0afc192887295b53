#include "policy/tokens/token_key.h"

#include <iterator>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "base/check.h"
#include "base/sha256.h"
#include "policy/tokens/jwk.h"
#include "policy/tokens/rsa_strength.h"
#include "policy/tokens/signature_checker.h"
#include "policy/tokens/signature_form.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kKeyIdDigits = 16;
constexpr std::size_t kRsaBits = 2048;

std::unexpected<Error> NoTokenKey(std::string_view why) {
  ERR_clear_error();
  return Fail(ErrorCode::kInvalidArgument, std::string(why));
}

// A key that is encrypted must not make OpenSSL ask at the terminal.
int NoPhrase(char* /*buffer*/, int /*size*/, int /*mode*/, void* /*user*/) {
  return 0;
}

bool IsP256(const EVP_PKEY* key) {
  char name[32] = {};
  std::size_t length = 0;
  return EVP_PKEY_get_group_name(key, name, sizeof(name), &length) == 1 &&
         std::string_view(name, length) == "prime256v1";
}

Result<TokenAlgorithm> AlgorithmOf(const EVP_PKEY* key) {
  switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_RSA:
      return TokenAlgorithm::kRs256;
    case EVP_PKEY_EC:
      if (IsP256(key)) return TokenAlgorithm::kEs256;
      return NoTokenKey("the key is on another curve than P-256");
    case EVP_PKEY_ED25519:
      return TokenAlgorithm::kEdDsa;
    default:
      return NoTokenKey("the key is none of RSA, P-256 and Ed25519");
  }
}

std::string DerOfPublic(const EVP_PKEY* key) {
  unsigned char* bytes = nullptr;
  const int size = i2d_PUBKEY(key, &bytes);
  CHECK(size > 0, "OpenSSL cannot write a key");
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return out;
}

bool HasPrivateHalf(EVP_PKEY* key) {
  const SslBio bio(BIO_new(BIO_s_mem()));
  const bool is_written = bio && i2d_PrivateKey_bio(bio.get(), key) == 1;
  ERR_clear_error();
  return is_written;
}

std::string TextIn(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

SslKey ReadPem(std::string_view pem) {
  const auto read = [pem](auto function) {
    const SslBio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    CHECK(bio != nullptr, "no memory for a key");
    return SslKey(function(bio.get(), nullptr, &NoPhrase, nullptr));
  };
  SslKey key = read(&PEM_read_bio_PrivateKey);
  return key ? std::move(key) : read(&PEM_read_bio_PUBKEY);
}

Result<TokenAlgorithm> CheckKey(EVP_PKEY* key) {
  TRY_ASSIGN(const TokenAlgorithm algorithm, AlgorithmOf(key));
  if (algorithm == TokenAlgorithm::kRs256) TRY(CheckRsaStrength(key));
  const SslKeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  const bool is_sound = context && EVP_PKEY_public_check(context.get()) == 1;
  if (!is_sound) return NoTokenKey("the key's numbers do not make a key");
  return algorithm;
}

}  // namespace

struct TokenKey::Impl {
  Impl(SslKey ssl_key, TokenAlgorithm its_algorithm)
      : key(std::move(ssl_key)),
        algorithm(its_algorithm),
        can_sign(HasPrivateHalf(key.get())),
        id(Sha256Hex(DerOfPublic(key.get())).substr(0, kKeyIdDigits)),
        checker(key.get(), algorithm) {}

  SslKey key;
  TokenAlgorithm algorithm;
  bool can_sign;
  std::string id;
  SignatureChecker checker;
};

TokenKey::TokenKey(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {
}

TokenKey TokenKey::Generate(TokenAlgorithm algorithm) {
  SslKey key;
  switch (algorithm) {
    case TokenAlgorithm::kRs256:
      key.reset(EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", kRsaBits));
      break;
    case TokenAlgorithm::kEs256:
      key.reset(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
      break;
    case TokenAlgorithm::kEdDsa:
      key.reset(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
      break;
  }
  CHECK(key != nullptr, "OpenSSL cannot make a key");
  return TokenKey(std::make_shared<const Impl>(std::move(key), algorithm));
}

Result<TokenKey> TokenKey::FromPem(std::string_view pem) {
  SslKey key = ReadPem(pem);
  if (!key) return NoTokenKey("no key in PEM form");
  TRY_ASSIGN(const TokenAlgorithm algorithm, CheckKey(key.get()));
  return TokenKey(std::make_shared<const Impl>(std::move(key), algorithm));
}

Result<TokenKey> TokenKey::FromJwk(const json::object& jwk) {
  Result<SslKey> key = ParseJwk(jwk);
  if (!key) return NoTokenKey(key.error().message());
  TRY_ASSIGN(const TokenAlgorithm algorithm, CheckKey(key->get()));
  return TokenKey(std::make_shared<const Impl>(*std::move(key), algorithm));
}

TokenAlgorithm TokenKey::algorithm() const {
  return impl_->algorithm;
}

bool TokenKey::can_sign() const {
  return impl_->can_sign;
}

const std::string& TokenKey::id() const {
  return impl_->id;
}

bool TokenKey::Verifies(std::string_view text, std::string_view signature) const {
  return impl_->checker.Verifies(text, signature);
}

std::string TokenKey::Sign(std::string_view text) const {
  CHECK(impl_->can_sign, "a public key cannot sign");
  const SslDigestContext context(EVP_MD_CTX_new());
  const char* digest = impl_->algorithm == TokenAlgorithm::kEdDsa ? nullptr : "SHA256";
  std::size_t size = static_cast<std::size_t>(EVP_PKEY_get_size(impl_->key.get()));
  std::string signature(size, '\0');
  const bool is_signed =
      context &&
      EVP_DigestSignInit_ex(context.get(), nullptr, digest, nullptr, nullptr, impl_->key.get(),
                            nullptr) == 1 &&
      EVP_DigestSign(context.get(), SslBytes(signature), &size, SslBytes(text), text.size()) == 1;
  CHECK(is_signed, "OpenSSL cannot sign");
  signature.resize(size);
  return impl_->algorithm == TokenAlgorithm::kEs256 ? PairOf(signature) : signature;
}

std::string TokenKey::PublicPem() const {
  const SslBio bio(BIO_new(BIO_s_mem()));
  CHECK(bio && PEM_write_bio_PUBKEY(bio.get(), impl_->key.get()) == 1,
        "OpenSSL cannot write a key");
  return TextIn(bio.get());
}

std::string TokenKey::PrivatePem() const {
  CHECK(impl_->can_sign, "the key has no private half");
  const SslBio bio(BIO_new(BIO_s_mem()));
  const bool is_written = bio && PEM_write_bio_PrivateKey(bio.get(), impl_->key.get(), nullptr,
                                                          nullptr, 0, nullptr, nullptr) == 1;
  CHECK(is_written, "OpenSSL cannot write a key");
  return TextIn(bio.get());
}

}  // namespace falconer::policy
