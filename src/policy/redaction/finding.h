#pragma once
// Finding: a place in a text that holds something of a kind. The kinds are one table: name, class,
// how sure its detector can be, and how it is masked.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "policy/redaction/payload_class.h"

namespace falconer::policy {

enum class FindingKind : std::uint8_t {
  kKnownSecret,  // a value of the secret store, in whatever encoding
  kPassword,
  kOneTimeCode,
  kSecurityCode,
  kApiKey,
  kToken,
  kAuthorization,
  kJwt,
  kCookie,
  kPrivateKey,
  kUrlPassword,
  kHighEntropy,
  kCard,
  kIban,
  kAccountNumber,
  kSsn,
  kBirthDate,
  kHealth,
  kEmail,
  kPhone,
};

inline constexpr std::size_t kFindingKinds = 20;

enum class MaskStyle : std::uint8_t {
  kStars,          // ********
  kShortStars,     // ***
  kApiKey,         // sk_...xxxx
  kAuthorization,  // Bearer ********
  kCookie,         // sid=********; Path=/
  kCard,           // ****-****-****-1234
  kIban,           // DE**...1234
  kSsn,            // ***-**-1234
  kEmail,          // j***@example.com
  kPhone,          // ***1234
  kName,           // [private key]
};

// A model needs what looks random (ids in links, for instance) to go on; others do not.
enum class Confidence : std::uint8_t { kCertain, kLikely };

struct FindingTraits {
  FindingKind kind;
  std::string_view name;
  PayloadClass payload;
  Confidence confidence;
  MaskStyle mask;
};

const FindingTraits& TraitsOf(FindingKind kind);
std::span<const FindingTraits> AllFindingKinds();

struct Finding {
  std::size_t begin = 0;
  std::size_t end = 0;
  FindingKind kind = FindingKind::kPassword;
  std::uint32_t secret = 0;  // which one, for kKnownSecret
  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

}  // namespace falconer::policy
