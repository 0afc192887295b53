#pragma once
// One-time codes by time (RFC 6238) and the URIs that hand their seeds over (otpauth://totp/...).

#include <chrono>
#include <cstdint>
#include <string_view>

#include "policy/secrets/secret_text.h"

namespace falconer::policy {

enum class TotpHash : std::uint8_t { kSha1, kSha256, kSha512 };

struct TotpSpec {
  SecretText seed;  // bytes
  TotpHash hash = TotpHash::kSha1;
  int digits = 6;
  std::chrono::seconds period{30};
};

// A seed in base32, with or without spaces and padding, or an otpauth:// URI. kInvalidArgument says
// what is wrong and never quotes.
Result<TotpSpec> ParseTotp(std::string_view text);

// The code at a time.
SecretText TotpCode(const TotpSpec& spec, std::chrono::sys_seconds when);
// How long it holds from then on.
std::chrono::seconds TotpTimeLeft(const TotpSpec& spec, std::chrono::sys_seconds when);

// RFC 4648 without regard to case; spaces, hyphens and padding are skipped. kInvalidArgument.
Result<SecretText> DecodeBase32(std::string_view text);

}  // namespace falconer::policy
