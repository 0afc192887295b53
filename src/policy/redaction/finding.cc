#include "policy/redaction/finding.h"

#include <utility>

namespace falconer::policy {
namespace {

constexpr auto kSure = Confidence::kCertain;
constexpr auto kSecretClass = PayloadClass::kCredential;

constexpr FindingTraits kKindTable[] = {
    {FindingKind::kKnownSecret, "secret", kSecretClass, kSure, MaskStyle::kStars},
    {FindingKind::kPassword, "password", kSecretClass, kSure, MaskStyle::kStars},
    {FindingKind::kOneTimeCode, "one_time_code", kSecretClass, kSure, MaskStyle::kStars},
    {FindingKind::kSecurityCode, "security_code", kSecretClass, kSure, MaskStyle::kShortStars},
    {FindingKind::kApiKey, "api_key", kSecretClass, kSure, MaskStyle::kApiKey},
    {FindingKind::kToken, "token", kSecretClass, kSure, MaskStyle::kApiKey},
    {FindingKind::kAuthorization, "authorization", kSecretClass, kSure, MaskStyle::kAuthorization},
    {FindingKind::kJwt, "jwt", kSecretClass, kSure, MaskStyle::kApiKey},
    {FindingKind::kCookie, "cookie", kSecretClass, kSure, MaskStyle::kCookie},
    {FindingKind::kPrivateKey, "private_key", kSecretClass, kSure, MaskStyle::kName},
    {FindingKind::kUrlPassword, "url_password", kSecretClass, kSure, MaskStyle::kStars},
    {FindingKind::kHighEntropy, "high_entropy", kSecretClass, Confidence::kLikely,
     MaskStyle::kApiKey},
    {FindingKind::kCard, "card", PayloadClass::kPayment, kSure, MaskStyle::kCard},
    {FindingKind::kIban, "iban", PayloadClass::kPayment, kSure, MaskStyle::kIban},
    {FindingKind::kAccountNumber, "account_number", PayloadClass::kPayment, kSure,
     MaskStyle::kPhone},
    {FindingKind::kSsn, "ssn", PayloadClass::kPii, kSure, MaskStyle::kSsn},
    {FindingKind::kBirthDate, "birth_date", PayloadClass::kPii, kSure, MaskStyle::kStars},
    {FindingKind::kHealth, "health", PayloadClass::kPhi, kSure, MaskStyle::kStars},
    {FindingKind::kEmail, "email", PayloadClass::kContact, kSure, MaskStyle::kEmail},
    {FindingKind::kPhone, "phone", PayloadClass::kContact, kSure, MaskStyle::kPhone},
};

static_assert(std::size(kKindTable) == kFindingKinds);

}  // namespace

const FindingTraits& TraitsOf(FindingKind kind) {
  return kKindTable[std::to_underlying(kind)];
}

std::span<const FindingTraits> AllFindingKinds() {
  return kKindTable;
}

}  // namespace falconer::policy
