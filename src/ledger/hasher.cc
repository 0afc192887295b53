#include "ledger/hasher.h"

#include <openssl/evp.h>

#include "base/check.h"

namespace falconer::ledger {
namespace {

constexpr std::uint8_t kLeafPrefix = 0;
constexpr std::uint8_t kNodePrefix = 1;

}  // namespace

// The algorithm is fetched once: OpenSSL 3 would look it up at every start.
struct Hasher::Impl {
  Impl() : context(EVP_MD_CTX_new()), algorithm(EVP_MD_fetch(nullptr, "SHA256", nullptr)) {
    CHECK(context != nullptr && algorithm != nullptr, "OpenSSL lacks SHA-256");
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    EVP_MD_CTX_free(context);
    EVP_MD_free(algorithm);
  }

  EVP_MD_CTX* context;
  EVP_MD* algorithm;
};

Hasher::Hasher() : impl_(std::make_unique<Impl>()) {
}
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;
Hasher::~Hasher() = default;

Sha256Digest Hasher::Leaf(std::string_view bytes) {
  return Prefixed(kLeafPrefix, bytes);
}

Sha256Digest Hasher::Node(const Sha256Digest& left, const Sha256Digest& right) {
  std::array<std::uint8_t, 2 * sizeof(Sha256Digest)> both;
  std::copy(left.begin(), left.end(), both.begin());
  std::copy(right.begin(), right.end(), both.begin() + sizeof(Sha256Digest));
  return Prefixed(kNodePrefix, {reinterpret_cast<const char*>(both.data()), both.size()});
}

Sha256Digest Hasher::Prefixed(std::uint8_t prefix, std::string_view bytes) {
  Sha256Digest digest;
  const bool is_done = EVP_DigestInit_ex2(impl_->context, impl_->algorithm, nullptr) == 1 &&
                       EVP_DigestUpdate(impl_->context, &prefix, 1) == 1 &&
                       EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size()) == 1 &&
                       EVP_DigestFinal_ex(impl_->context, digest.data(), nullptr) == 1;
  CHECK(is_done, "SHA-256 is broken");
  return digest;
}

}  // namespace falconer::ledger
