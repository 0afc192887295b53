#include "base/hmac.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/check.h"
#include "base/hex.h"

namespace falconer {

Sha256Digest HmacSha256(std::string_view key, std::string_view text) {
  Sha256Digest digest{};
  unsigned int size = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  // A null key would mean "the one of the last call" to the library.
  const char* secret = key.empty() ? "" : key.data();
  const auto* done = HMAC(EVP_sha256(), secret, static_cast<int>(key.size()), bytes, text.size(),
                          digest.data(), &size);
  CHECK(done != nullptr && size == digest.size(), "the library computes HMAC-SHA256");
  return digest;
}

std::string HmacSha256Hex(std::string_view key, std::string_view text) {
  return ToHex(HmacSha256(key, text));
}

}  // namespace falconer
