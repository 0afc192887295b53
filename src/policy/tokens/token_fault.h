#pragma once
// TokenFault: why a token is refused. Each attack and each limit has a word of its own; it is the
// detail "reason" of the error, beside the error's code.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer::policy {

enum class TokenFault : std::uint8_t {
  // Form
  kTooLong,
  kMalformed,
  kBadEncoding,
  kBadHeader,
  kDuplicateMember,
  kUnknownHeader,
  kWrongType,
  // Algorithm
  kAlgorithmMissing,
  kAlgorithmNone,
  kAlgorithmSymmetric,
  kAlgorithmUnknown,
  kAlgorithmMismatch,
  // Keys that the token brings itself
  kEmbeddedKey,
  kKeyUrl,
  kCertificateUrl,
  kCertificateChain,
  kCertificateDigest,
  kCriticalHeader,
  kUnencodedPayload,
  // The key that is named
  kKeyNameMissing,
  kKeyNameBad,
  kKeyUnknown,
  kKeyRetired,
  // Signature
  kSignatureMissing,
  kSignatureBad,
  // Claims
  kBadClaims,
  kUnknownClaim,
  kBadTime,
  kBadConstraints,
  kUnknownCapability,
  kWrongIssuer,
  kWrongAudience,
  kExpired,
  kNotYetValid,
  kLivesTooLong,
  // Records
  kRevoked,
  kAgentRevoked,
  kAllRevoked,
  kReplayed,
  // Use
  kWrongTenant,
  kWrongAgent,
  kCapabilityMissing,
  kProofTooWeak,
  kDomainOutside,
  kAmountOver,
  kAmountUnknown,
  kCurrencyOther,
  kPiiRefused,
  kTimeOver,
  kOutsideWindow,
};

struct TokenFaultRow {
  TokenFault fault;
  std::string_view reason;  // the word in the details
  ErrorCode code;
  std::string_view message;
};

// All rows, in the order of the enumeration.
std::span<const TokenFaultRow> AllTokenFaults();
const TokenFaultRow& RowOf(TokenFault fault);

// The detail of an error that holds the word.
inline constexpr std::string_view kTokenReasonDetail = "reason";

// The error of a fault; `what` is added to its message and MUST NOT hold text of an unverified
// token, which may be anything and go anywhere.
Error TokenError(TokenFault fault, std::string_view what = "");

inline std::unexpected<Error> RefuseToken(TokenFault fault, std::string_view what = "") {
  return std::unexpected(TokenError(fault, what));
}

}  // namespace falconer::policy
