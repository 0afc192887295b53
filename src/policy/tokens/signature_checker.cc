#include "policy/tokens/signature_checker.h"

#include <array>
#include <optional>

#include <openssl/err.h>
#include <openssl/rsa.h>

#include "base/check.h"
#include "base/sha256.h"
#include "policy/tokens/signature_form.h"

namespace falconer::policy {
namespace {

// More than these at once are made anew.
constexpr std::size_t kMostIdle = 16;

std::size_t SignatureBytes(const EVP_PKEY* key, TokenAlgorithm algorithm) {
  if (algorithm == TokenAlgorithm::kRs256) return static_cast<std::size_t>(EVP_PKEY_get_size(key));
  return kPairBytes;
}

}  // namespace

SignatureChecker::SignatureChecker(EVP_PKEY* key, TokenAlgorithm algorithm)
    : key_(key),
      algorithm_(algorithm),
      signature_bytes_(SignatureBytes(key, algorithm)),
      sha256_(EVP_MD_fetch(nullptr, "SHA256", nullptr)) {
  CHECK(sha256_ != nullptr, "OpenSSL lacks SHA-256");
}

SignatureChecker::Bench SignatureChecker::MakeBench() const {
  Bench bench{SslDigestContext(EVP_MD_CTX_new()),
              SslKeyContext(EVP_PKEY_CTX_new_from_pkey(nullptr, key_, nullptr))};
  EVP_PKEY_CTX* const context = bench.key.get();
  const bool is_ready = bench.digest && context != nullptr && EVP_PKEY_verify_init(context) == 1 &&
                        (algorithm_ != TokenAlgorithm::kRs256 ||
                         EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1) &&
                        EVP_PKEY_CTX_set_signature_md(context, sha256_.get()) == 1;
  CHECK(is_ready, "OpenSSL cannot check signatures");
  return bench;
}

SignatureChecker::Bench SignatureChecker::Take() const {
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      Bench bench = std::move(idle_.back());
      idle_.pop_back();
      return bench;
    }
  }
  return MakeBench();
}

void SignatureChecker::GiveBack(Bench bench) const {
  const std::scoped_lock lock(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(bench));
}

bool SignatureChecker::VerifiesDigest(std::string_view text, std::string_view signature) const {
  DerPair pair;
  if (algorithm_ == TokenAlgorithm::kEs256) {
    pair = DerOf(signature);
    signature = pair.view();
  }
  Bench bench = Take();
  Sha256Digest digest{};
  const bool is_right = EVP_DigestInit_ex2(bench.digest.get(), sha256_.get(), nullptr) == 1 &&
                        EVP_DigestUpdate(bench.digest.get(), text.data(), text.size()) == 1 &&
                        EVP_DigestFinal_ex(bench.digest.get(), digest.data(), nullptr) == 1 &&
                        EVP_PKEY_verify(bench.key.get(), SslBytes(signature), signature.size(),
                                        digest.data(), digest.size()) == 1;
  GiveBack(std::move(bench));
  return is_right;
}

// EdDSA signs the text, not a digest of it.
bool SignatureChecker::VerifiesText(std::string_view text, std::string_view signature) const {
  const SslDigestContext context(EVP_MD_CTX_new());
  return context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key_) == 1 &&
         EVP_DigestVerify(context.get(), SslBytes(signature), signature.size(), SslBytes(text),
                          text.size()) == 1;
}

bool SignatureChecker::Verifies(std::string_view text, std::string_view signature) const {
  if (signature.size() != signature_bytes_) return false;
  const bool is_right = algorithm_ == TokenAlgorithm::kEdDsa ? VerifiesText(text, signature)
                                                             : VerifiesDigest(text, signature);
  // A refusal leaves its reasons in a queue of the thread, where others would find them.
  if (!is_right) ERR_clear_error();
  return is_right;
}

}  // namespace falconer::policy
