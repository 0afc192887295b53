#include "policy/tokens/token_fault.h"

#include <iterator>

namespace falconer::policy {
namespace {

// clang-format off
constexpr TokenFaultRow kTokenFaults[] = {
    {TokenFault::kTooLong, "too_long", ErrorCode::kTokenInvalid, "the token is longer than any honest one"},
    {TokenFault::kMalformed, "malformed", ErrorCode::kTokenInvalid, "the token does not have three parts"},
    {TokenFault::kBadEncoding, "bad_encoding", ErrorCode::kTokenInvalid, "a part of the token is not canonical base64url"},
    {TokenFault::kBadHeader, "bad_header", ErrorCode::kTokenInvalid, "the token's header is not a JSON object of texts"},
    {TokenFault::kDuplicateMember, "duplicate_member", ErrorCode::kTokenInvalid, "the token says something twice"},
    {TokenFault::kUnknownHeader, "unknown_header", ErrorCode::kTokenInvalid, "the token's header has a member that is not known here"},
    {TokenFault::kWrongType, "wrong_typ", ErrorCode::kTokenInvalid, "the token's typ is not JWT"},

    {TokenFault::kAlgorithmMissing, "alg_missing", ErrorCode::kTokenInvalid, "the token names no algorithm"},
    {TokenFault::kAlgorithmNone, "alg_none", ErrorCode::kTokenInvalid, "the token is not signed: its alg is none"},
    {TokenFault::kAlgorithmSymmetric, "alg_symmetric", ErrorCode::kTokenInvalid, "the token wants a public key used as a shared secret"},
    {TokenFault::kAlgorithmUnknown, "alg_unsupported", ErrorCode::kTokenInvalid, "the token's algorithm is none of RS256, ES256 and EdDSA"},
    {TokenFault::kAlgorithmMismatch, "alg_mismatch", ErrorCode::kTokenInvalid, "the token's algorithm is not the one of the key it names"},

    {TokenFault::kEmbeddedKey, "embedded_jwk", ErrorCode::kTokenInvalid, "the token brings a key of its own (jwk)"},
    {TokenFault::kKeyUrl, "jku", ErrorCode::kTokenInvalid, "the token says where to get its keys (jku)"},
    {TokenFault::kCertificateUrl, "x5u", ErrorCode::kTokenInvalid, "the token says where to get its certificate (x5u)"},
    {TokenFault::kCertificateChain, "x5c", ErrorCode::kTokenInvalid, "the token brings certificates of its own (x5c)"},
    {TokenFault::kCertificateDigest, "x5t", ErrorCode::kTokenInvalid, "the token names its key by a certificate (x5t)"},
    {TokenFault::kCriticalHeader, "crit", ErrorCode::kTokenInvalid, "the token wants extensions understood (crit)"},
    {TokenFault::kUnencodedPayload, "b64", ErrorCode::kTokenInvalid, "the token changes how its payload is encoded (b64)"},

    {TokenFault::kKeyNameMissing, "kid_missing", ErrorCode::kTokenInvalid, "the token does not name its key (kid)"},
    {TokenFault::kKeyNameBad, "bad_kid", ErrorCode::kTokenInvalid, "the token's kid is no name of a key"},
    {TokenFault::kKeyUnknown, "unknown_kid", ErrorCode::kTokenInvalid, "there is no key of the name in the token"},
    {TokenFault::kKeyRetired, "key_retired", ErrorCode::kTokenInvalid, "the token's key has been retired"},

    {TokenFault::kSignatureMissing, "no_signature", ErrorCode::kTokenInvalid, "the token has no signature"},
    {TokenFault::kSignatureBad, "bad_signature", ErrorCode::kTokenInvalid, "the token's signature is not of its key"},

    {TokenFault::kBadClaims, "bad_claims", ErrorCode::kTokenInvalid, "the token's claims are not as they must be"},
    {TokenFault::kUnknownClaim, "unknown_claim", ErrorCode::kTokenInvalid, "the token claims something that is not known here, and may be a limit"},
    {TokenFault::kBadTime, "bad_time", ErrorCode::kTokenInvalid, "a time of the token is not a whole number of seconds since 1970"},
    {TokenFault::kBadConstraints, "bad_constraints", ErrorCode::kTokenInvalid, "the token's constraints are not as they must be"},
    {TokenFault::kUnknownCapability, "unknown_capability", ErrorCode::kTokenInvalid, "the token names a capability that does not exist"},
    {TokenFault::kWrongIssuer, "wrong_issuer", ErrorCode::kTokenWrongIssuer, "the token is of another issuer"},
    {TokenFault::kWrongAudience, "wrong_audience", ErrorCode::kTokenWrongAudience, "the token is for another audience"},
    {TokenFault::kExpired, "expired", ErrorCode::kTokenExpired, "the token has expired"},
    {TokenFault::kNotYetValid, "not_yet_valid", ErrorCode::kTokenInvalid, "the token is not valid yet"},
    {TokenFault::kLivesTooLong, "lives_too_long", ErrorCode::kTokenInvalid, "the token lives longer than its capabilities may"},

    {TokenFault::kRevoked, "revoked", ErrorCode::kTokenRevoked, "the token was revoked"},
    {TokenFault::kAgentRevoked, "agent_revoked", ErrorCode::kTokenRevoked, "the tokens of this agent were revoked"},
    {TokenFault::kAllRevoked, "all_revoked", ErrorCode::kTokenRevoked, "all tokens were revoked"},
    {TokenFault::kReplayed, "replayed", ErrorCode::kTokenReplayed, "the token was used before, and may be used once"},

    {TokenFault::kWrongTenant, "wrong_tenant", ErrorCode::kTokenInvalid, "the token is of another tenant"},
    {TokenFault::kWrongAgent, "wrong_agent", ErrorCode::kTokenInvalid, "the token is of another agent"},
    {TokenFault::kCapabilityMissing, "capability_missing", ErrorCode::kCapabilityMissing, "the token does not allow this"},
    {TokenFault::kProofTooWeak, "proof_too_weak", ErrorCode::kCapabilityMissing, "whoever asked for the token proved too little for this"},
    {TokenFault::kDomainOutside, "domain_outside", ErrorCode::kConstraintViolated, "the address is outside of the token's domains"},
    {TokenFault::kAmountOver, "amount_over", ErrorCode::kConstraintViolated, "the amount is over the token's limit"},
    {TokenFault::kAmountUnknown, "amount_unknown", ErrorCode::kConstraintViolated, "the token limits amounts, and this one cannot be told"},
    {TokenFault::kCurrencyOther, "currency_other", ErrorCode::kConstraintViolated, "the amount is in another currency than the token's limit"},
    {TokenFault::kPiiRefused, "pii_refused", ErrorCode::kConstraintViolated, "the token does not reach personal data"},
    {TokenFault::kTimeOver, "time_over", ErrorCode::kConstraintViolated, "the token's time for this is over"},
    {TokenFault::kOutsideWindow, "outside_window", ErrorCode::kConstraintViolated, "the token does not hold at this time of day"},
};
// clang-format on

}  // namespace

std::span<const TokenFaultRow> AllTokenFaults() {
  return kTokenFaults;
}

const TokenFaultRow& RowOf(TokenFault fault) {
  return kTokenFaults[static_cast<std::size_t>(fault)];
}

Error TokenError(TokenFault fault, std::string_view what) {
  const TokenFaultRow& row = RowOf(fault);
  std::string message(row.message);
  if (!what.empty()) message.append(": ").append(what);
  return {row.code, std::move(message), {{kTokenReasonDetail, row.reason}}};
}

}  // namespace falconer::policy
