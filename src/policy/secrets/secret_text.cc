#include "policy/secrets/secret_text.h"

#include <algorithm>
#include <utility>

#include <openssl/crypto.h>

#include "base/check.h"

namespace falconer::policy {

SecretText::SecretText(std::string_view value) : SecretText(OfSize(value.size())) {
  std::ranges::copy(value, bytes_.get());
}

SecretText SecretText::OfSize(std::size_t size) {
  SecretText secret;
  secret.bytes_ = std::make_unique<char[]>(size);
  secret.size_ = size;
  return secret;
}

SecretText::SecretText(SecretText&& other) noexcept
    : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {
}

SecretText& SecretText::operator=(SecretText&& other) noexcept {
  if (this == &other) return *this;
  Wipe();
  bytes_ = std::move(other.bytes_);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

SecretText::~SecretText() {
  Wipe();
}

std::span<unsigned char> SecretText::Writable() {
  return {reinterpret_cast<unsigned char*>(bytes_.get()), size_};
}

void SecretText::Shrink(std::size_t size) {
  CHECK(size <= size_, "a secret can only be cut");
  if (size_ > size) OPENSSL_cleanse(bytes_.get() + size, size_ - size);
  size_ = size;
}

void SecretText::Wipe() noexcept {
  if (bytes_ != nullptr) OPENSSL_cleanse(bytes_.get(), size_);
}

}  // namespace falconer::policy
