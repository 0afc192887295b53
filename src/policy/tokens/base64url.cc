#include "policy/tokens/base64url.h"

#include <array>
#include <cstdint>

namespace falconer::policy {
namespace {

constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// A value no six bits have: one check at the end sees any bad character.
constexpr std::uint8_t kNoDigit = 0x80;

constexpr std::array<std::uint8_t, 256> MakeUrlDigits() {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kUrlAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kUrlAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}

constexpr std::array<std::uint8_t, 256> kUrlDigits = MakeUrlDigits();

std::uint32_t UrlDigit(char c) {
  return kUrlDigits[static_cast<unsigned char>(c)];
}

char LowByte(std::uint32_t bits) {
  return static_cast<char>(bits & 0xFFU);
}

std::unexpected<Error> BadBase64Url(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, "base64url: " + std::string(why));
}

// The two or three characters after the whole groups. True when no stray bits are left.
bool DecodeUrlTail(std::string_view tail, std::uint32_t& seen, char* to) {
  const std::uint32_t first = UrlDigit(tail[0]);
  const std::uint32_t second = UrlDigit(tail[1]);
  seen |= first | second;
  to[0] = LowByte(first << 2U | second >> 4U);
  if (tail.size() == 2) return (second & 0xFU) == 0;
  const std::uint32_t third = UrlDigit(tail[2]);
  seen |= third;
  to[1] = LowByte(second << 4U | third >> 2U);
  return (third & 3U) == 0;
}

}  // namespace

std::string EncodeBase64Url(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t bits = 0;
  unsigned have = 0;
  for (const char byte : bytes) {
    bits = bits << 8U | static_cast<unsigned char>(byte);
    for (have += 8; have >= 6; have -= 6) out += kUrlAlphabet[bits >> (have - 6) & 63U];
  }
  if (have != 0) out += kUrlAlphabet[bits << (6 - have) & 63U];
  return out;
}

Result<std::string> DecodeBase64Url(std::string_view text) {
  const std::size_t tail = text.size() % 4;
  if (tail == 1) return BadBase64Url("no bytes have this length");
  const std::size_t whole = text.size() - tail;
  std::string out(whole / 4 * 3 + (tail == 0 ? 0 : tail - 1), '\0');
  std::uint32_t seen = 0;
  char* to = out.data();
  for (std::size_t i = 0; i < whole; i += 4, to += 3) {
    const std::uint32_t first = UrlDigit(text[i]);
    const std::uint32_t second = UrlDigit(text[i + 1]);
    const std::uint32_t third = UrlDigit(text[i + 2]);
    const std::uint32_t fourth = UrlDigit(text[i + 3]);
    seen |= first | second | third | fourth;
    const std::uint32_t bits = first << 18U | second << 12U | third << 6U | fourth;
    to[0] = LowByte(bits >> 16U);
    to[1] = LowByte(bits >> 8U);
    to[2] = LowByte(bits);
  }
  const bool is_tidy = tail == 0 || DecodeUrlTail(text.substr(whole), seen, to);
  if ((seen & kNoDigit) != 0) return BadBase64Url("not a character of it");
  if (!is_tidy) return BadBase64Url("bits beyond the last byte");
  return out;
}

}  // namespace falconer::policy
