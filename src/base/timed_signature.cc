#include "base/timed_signature.h"

#include <chrono>
#include <fmt/format.h>

#include "base/hmac.h"

namespace falconer {

std::string TimedSignature(std::string_view key, WallTime now, std::string_view body) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  return fmt::format("t={},v1={}", seconds,
                     HmacSha256Hex(key, fmt::format("{}.{}", seconds, body)));
}

}  // namespace falconer
