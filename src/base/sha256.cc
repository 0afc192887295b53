#include "base/sha256.h"

#include <openssl/evp.h>

#include "base/check.h"
#include "base/hex.h"

namespace falconer {
struct Sha256::Impl {
  Impl() : context(EVP_MD_CTX_new()) {
    CHECK(context != nullptr, "no memory for a digest");
    Start();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { EVP_MD_CTX_free(context); }

  void Start() {
    CHECK(EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1, "OpenSSL lacks SHA-256");
  }

  EVP_MD_CTX* context;
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

Sha256& Sha256::Add(std::string_view piece) {
  CHECK(EVP_DigestUpdate(impl_->context, piece.data(), piece.size()) == 1, "digest is broken");
  return *this;
}

Sha256Digest Sha256::Finish() {
  Sha256Digest digest{};
  CHECK(EVP_DigestFinal_ex(impl_->context, digest.data(), nullptr) == 1, "digest is broken");
  impl_->Start();
  return digest;
}

Sha256Digest Sha256Of(std::string_view text) {
  return Sha256().Add(text).Finish();
}

std::string Sha256Hex(std::string_view text) {
  return ToHex(Sha256Of(text));
}

}  // namespace falconer
