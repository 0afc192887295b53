#include "base/random.h"

#include <cerrno>
#include <cstdint>
#include <span>
#include <sys/random.h>
#include <vector>

#include "base/check.h"
#include "base/hex.h"

namespace falconer {
namespace {

void FillRandom(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::getrandom(bytes.data(), bytes.size(), 0);
    // Blocking getrandom fails only by interruption. Going on with what can be guessed
    // would be worse than ending.
    CHECK(n >= 0 || errno == EINTR, "the kernel gives no randomness");
    if (n > 0) bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

}  // namespace

std::string RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  FillRandom({reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  return bytes;
}

std::string RandomHex(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  FillRandom(bytes);
  return ToHex(bytes);
}

std::string RandomId() {
  return RandomHex(16);
}

}  // namespace falconer
