#include "policy/secrets/totp.h"

#include <algorithm>
#include <array>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/json/json_reader.h"
#include "base/text.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kTotpUri = "otpauth://totp/";
constexpr std::size_t kShortestSeed = 10;  // 80 bits

constexpr EnumName<TotpHash> kTotpHashes[] = {
    {TotpHash::kSha1, "SHA1"},
    {TotpHash::kSha256, "SHA256"},
    {TotpHash::kSha512, "SHA512"},
};

const EVP_MD* DigestFor(TotpHash hash) {
  switch (hash) {
    case TotpHash::kSha1:
      return EVP_sha1();
    case TotpHash::kSha256:
      return EVP_sha256();
    case TotpHash::kSha512:
      return EVP_sha512();
  }
  return EVP_sha1();
}

int Base32Value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a';
  return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
}

std::unexpected<Error> BadTotp(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, "totp: " + std::string(why));
}

Result<void> ReadTotpNumber(std::string_view name, std::string_view value, Bounds<std::int64_t> in,
                            std::int64_t& out) {
  const auto number = ParseWhole(value);
  if (!number || !in.Contains(*number)) return BadTotp(std::string(name) + " is out of bounds");
  out = *number;
  return {};
}

Result<void> ReadTotpParameter(std::string_view name, std::string_view value, TotpSpec& spec) {
  if (name == "secret") {
    TRY_ASSIGN(spec.seed, DecodeBase32(value));
  } else if (name == "algorithm") {
    const auto hash = ValueIn(kTotpHashes, value);
    if (!hash) return BadTotp("algorithm is not SHA1, SHA256 or SHA512");
    spec.hash = *hash;
  } else if (name == "digits") {
    std::int64_t digits = 0;
    TRY(ReadTotpNumber(name, value, {6, 8}, digits));
    spec.digits = static_cast<int>(digits);
  } else if (name == "period") {
    std::int64_t seconds = 0;
    TRY(ReadTotpNumber(name, value, {1, 600}, seconds));
    spec.period = std::chrono::seconds(seconds);
  }
  return {};  // issuer, image and the like are for people
}

Result<TotpSpec> ParseTotpUri(std::string_view uri) {
  TotpSpec spec;
  const std::size_t query = uri.find('?');
  if (query == std::string_view::npos) return BadTotp("the URI has no secret");
  std::string_view rest = uri.substr(query + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    TRY(ReadTotpParameter(pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size())),
                          spec));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return spec;
}

std::int64_t SecondsSince1970(std::chrono::sys_seconds when) {
  return when.time_since_epoch().count();
}

}  // namespace

Result<SecretText> DecodeBase32(std::string_view text) {
  SecretText out = SecretText::OfSize(text.size() * 5 / 8 + 1);
  std::uint32_t bits = 0;
  unsigned count = 0;
  std::size_t size = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' || text[i] == '-' || text[i] == '=') continue;
    const int value = Base32Value(text[i]);
    if (value < 0) return BadTotp("not base32 at offset " + std::to_string(i));
    bits = bits << 5U | static_cast<std::uint32_t>(value);
    count += 5;
    if (count < 8) continue;
    count -= 8;
    out.Writable()[size++] = static_cast<unsigned char>(bits >> count & 255U);
  }
  out.Shrink(size);
  return out;
}

Result<TotpSpec> ParseTotp(std::string_view text) {
  TotpSpec spec;
  if (text.starts_with("otpauth://")) {
    if (!text.starts_with(kTotpUri)) return BadTotp("only otpauth://totp/ is known");
    TRY_ASSIGN(spec, ParseTotpUri(text));
  } else {
    TRY_ASSIGN(spec.seed, DecodeBase32(text));
  }
  if (spec.seed.size() < kShortestSeed) return BadTotp("the seed is shorter than 80 bits");
  return spec;
}

SecretText TotpCode(const TotpSpec& spec, std::chrono::sys_seconds when) {
  const auto step = static_cast<std::uint64_t>(SecondsSince1970(when) / spec.period.count());
  std::array<unsigned char, 8> counter{};
  for (std::size_t i = 0; i < counter.size(); ++i) {
    counter[i] = static_cast<unsigned char>(step >> (56 - 8 * i) & 255U);
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
  unsigned size = 0;
  HMAC(DigestFor(spec.hash), spec.seed.Reveal().data(), static_cast<int>(spec.seed.size()),
       counter.data(), counter.size(), mac.data(), &size);
  const std::size_t at = mac[size - 1] & 15U;
  std::uint32_t number = (mac[at] & 127U) << 24U | static_cast<std::uint32_t>(mac[at + 1]) << 16U |
                         static_cast<std::uint32_t>(mac[at + 2]) << 8U | mac[at + 3];
  OPENSSL_cleanse(mac.data(), mac.size());
  SecretText code = SecretText::OfSize(static_cast<std::size_t>(spec.digits));
  for (std::size_t i = code.size(); i > 0; --i, number /= 10) {
    code.Writable()[i - 1] = static_cast<unsigned char>('0' + number % 10);
  }
  return code;
}

std::chrono::seconds TotpTimeLeft(const TotpSpec& spec, std::chrono::sys_seconds when) {
  return spec.period - std::chrono::seconds(SecondsSince1970(when) % spec.period.count());
}

}  // namespace falconer::policy
