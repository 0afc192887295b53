#include "policy/redaction/field_names.h"

#include <algorithm>
#include <array>

#include "base/percent.h"
#include "base/text.h"
#include "policy/redaction/text_class.h"

namespace falconer::policy {
namespace {

enum class NameMatch : std::uint8_t { kEnding, kWhole };

struct FieldRow {
  std::string_view name;
  NameMatch match;
  FindingKind kind;
  NumberRule numbers = NumberRule::kStays;
};

constexpr auto kNumbersToo = NumberRule::kIsSecretToo;
constexpr auto kEnds = NameMatch::kEnding;
constexpr auto kWhole = NameMatch::kWhole;

// In lower case, without separators. The first row that fits counts: exceptions stand first.
constexpr FieldRow kFieldRows[] = {
    {"password", kEnds, FindingKind::kPassword, kNumbersToo},
    {"passwd", kEnds, FindingKind::kPassword, kNumbersToo},
    {"passphrase", kEnds, FindingKind::kPassword, kNumbersToo},
    {"passcode", kEnds, FindingKind::kPassword, kNumbersToo},
    {"pwd", kEnds, FindingKind::kPassword, kNumbersToo},
    {"pass", kWhole, FindingKind::kPassword, kNumbersToo},
    {"pw", kWhole, FindingKind::kPassword, kNumbersToo},
    {"passwort", kEnds, FindingKind::kPassword, kNumbersToo},
    {"kennwort", kEnds, FindingKind::kPassword, kNumbersToo},
    {"motdepasse", kEnds, FindingKind::kPassword, kNumbersToo},
    {"contrasena", kEnds, FindingKind::kPassword, kNumbersToo},
    {"senha", kWhole, FindingKind::kPassword, kNumbersToo},
    {"secret", kEnds, FindingKind::kApiKey},
    {"secretkey", kEnds, FindingKind::kApiKey},
    {"accesskey", kEnds, FindingKind::kApiKey},
    {"accountkey", kEnds, FindingKind::kApiKey},
    {"apikey", kEnds, FindingKind::kApiKey},
    {"apitoken", kEnds, FindingKind::kApiKey},
    {"authkey", kEnds, FindingKind::kApiKey},
    {"encryptionkey", kEnds, FindingKind::kApiKey},
    {"signingkey", kEnds, FindingKind::kApiKey},
    {"privatekey", kEnds, FindingKind::kPrivateKey},
    {"sharedaccesssignature", kEnds, FindingKind::kApiKey},
    {"xamzsignature", kEnds, FindingKind::kApiKey},
    {"xgoogsignature", kEnds, FindingKind::kApiKey},
    {"xamzsecuritytoken", kEnds, FindingKind::kApiKey},
    {"sig", kWhole, FindingKind::kApiKey},
    {"credential", kEnds, FindingKind::kApiKey},
    {"credentials", kEnds, FindingKind::kApiKey},
    {"token", kEnds, FindingKind::kToken},
    {"jwt", kEnds, FindingKind::kToken},
    {"sessionid", kEnds, FindingKind::kToken},
    {"sessid", kEnds, FindingKind::kToken},
    {"sid", kWhole, FindingKind::kToken},
    {"samlresponse", kWhole, FindingKind::kToken},
    {"codeverifier", kWhole, FindingKind::kToken},
    {"authcode", kWhole, FindingKind::kToken},
    {"authorizationcode", kWhole, FindingKind::kToken},
    {"authorization", kEnds, FindingKind::kAuthorization},
    {"xauth", kWhole, FindingKind::kAuthorization},
    {"cookie", kEnds, FindingKind::kCookie},
    {"cookies", kEnds, FindingKind::kCookie},
    {"otp", kEnds, FindingKind::kOneTimeCode, kNumbersToo},
    {"otpcode", kEnds, FindingKind::kOneTimeCode, kNumbersToo},
    {"totpcode", kEnds, FindingKind::kOneTimeCode, kNumbersToo},
    {"mfacode", kEnds, FindingKind::kOneTimeCode, kNumbersToo},
    {"2facode", kEnds, FindingKind::kOneTimeCode, kNumbersToo},
    {"onetimecode", kEnds, FindingKind::kOneTimeCode, kNumbersToo},
    {"verificationcode", kEnds, FindingKind::kOneTimeCode, kNumbersToo},
    {"recoverycode", kEnds, FindingKind::kOneTimeCode, kNumbersToo},
    {"recoverycodes", kEnds, FindingKind::kOneTimeCode, kNumbersToo},
    {"pin", kWhole, FindingKind::kPassword, kNumbersToo},
    {"pincode", kEnds, FindingKind::kPassword, kNumbersToo},
    {"cardpin", kEnds, FindingKind::kPassword, kNumbersToo},
    {"userpin", kEnds, FindingKind::kPassword, kNumbersToo},
    {"cvv", kEnds, FindingKind::kSecurityCode, kNumbersToo},
    {"cvv2", kEnds, FindingKind::kSecurityCode, kNumbersToo},
    {"cvc", kEnds, FindingKind::kSecurityCode, kNumbersToo},
    {"cvc2", kEnds, FindingKind::kSecurityCode, kNumbersToo},
    {"csc", kWhole, FindingKind::kSecurityCode, kNumbersToo},
    {"cardcsc", kEnds, FindingKind::kSecurityCode, kNumbersToo},
    {"securitycode", kEnds, FindingKind::kSecurityCode, kNumbersToo},
    {"cardnumber", kEnds, FindingKind::kCard, kNumbersToo},
    {"cardnum", kEnds, FindingKind::kCard, kNumbersToo},
    {"cardno", kEnds, FindingKind::kCard, kNumbersToo},
    {"ccnumber", kEnds, FindingKind::kCard, kNumbersToo},
    {"ccnum", kEnds, FindingKind::kCard, kNumbersToo},
    {"creditcard", kEnds, FindingKind::kCard, kNumbersToo},
    {"pan", kWhole, FindingKind::kCard, kNumbersToo},
    {"iban", kEnds, FindingKind::kIban},
    {"accountnumber", kEnds, FindingKind::kAccountNumber, kNumbersToo},
    {"routingnumber", kEnds, FindingKind::kAccountNumber, kNumbersToo},
    {"ssn", kEnds, FindingKind::kSsn, kNumbersToo},
    {"socialsecuritynumber", kEnds, FindingKind::kSsn, kNumbersToo},
    {"socialsecurity", kEnds, FindingKind::kSsn, kNumbersToo},
    {"taxid", kEnds, FindingKind::kSsn, kNumbersToo},
    {"passportnumber", kEnds, FindingKind::kAccountNumber, kNumbersToo},
    {"dob", kWhole, FindingKind::kBirthDate},
    {"dateofbirth", kEnds, FindingKind::kBirthDate},
    {"birthdate", kEnds, FindingKind::kBirthDate},
    {"birthday", kEnds, FindingKind::kBirthDate},
    {"diagnosis", kEnds, FindingKind::kHealth},
    {"medicalrecordnumber", kEnds, FindingKind::kHealth, kNumbersToo},
    {"healthinsurancenumber", kEnds, FindingKind::kHealth, kNumbersToo},
    {"email", kEnds, FindingKind::kEmail},
    {"emailaddress", kEnds, FindingKind::kEmail},
    {"phone", kEnds, FindingKind::kPhone},
    {"phonenumber", kEnds, FindingKind::kPhone},
    {"mobilenumber", kEnds, FindingKind::kPhone},
};

// Names that end like a secret and hold none.
constexpr std::string_view kHarmlessNames[] = {
    "pagetoken", "nextpagetoken", "prevpagetoken", "continuationtoken", "synctoken",
    "nexttoken", "cursortoken",   "showpassword",  "forgotpassword",    "resetpassword",
    "hassecret", "tokentype",     "issecret",
};

constexpr std::size_t kLongestName = 96;

constexpr auto kLastBytes = [] {
  std::array<bool, 256> table{};
  for (const FieldRow& row : kFieldRows) {
    const char last = row.name.back();
    table[static_cast<unsigned char>(last)] = true;
    if (last >= 'a' && last <= 'z') table[static_cast<unsigned char>(last - 'a' + 'A')] = true;
  }
  table[static_cast<unsigned char>(']')] = true;
  // The end of "%5D".
  table[static_cast<unsigned char>('D')] = true;
  table[static_cast<unsigned char>('d')] = true;
  return table;
}();

// By the last three letters of a folded name; the one name that is shorter is looked up anyway.
constexpr TripleFilter kEndingFilter = [] {
  TripleFilter filter;
  for (const FieldRow& row : kFieldRows) {
    const std::size_t size = row.name.size();
    if (size >= 3) filter.Add(row.name[size - 3], row.name[size - 2], row.name[size - 1]);
  }
  return filter;
}();

// The rows by the last letter of their names, in their order; the number of all rows ends a chain.
struct RowChains {
  static constexpr std::size_t kEnd = std::size(kFieldRows);
  std::array<std::uint8_t, 256> first{};
  std::array<std::uint8_t, kEnd> next{};
};
static_assert(RowChains::kEnd < 256);

constexpr RowChains kRowChains = [] {
  RowChains chains;
  chains.first.fill(RowChains::kEnd);
  for (std::size_t i = RowChains::kEnd; i-- > 0;) {
    std::uint8_t& first = chains.first[static_cast<unsigned char>(kFieldRows[i].name.back())];
    chains.next[i] = first;
    first = static_cast<std::uint8_t>(i);
  }
  return chains;
}();

bool CanMean(std::string_view folded) {
  const std::size_t size = folded.size();
  return size == 2 ||
         (size > 2 && kEndingFilter.MayHave(folded[size - 3], folded[size - 2], folded[size - 1]));
}

// Lower case, only letters and digits. Of percent escapes nothing is left: those of separators and
// brackets are the ones that occur.
std::string_view FoldName(std::string_view name, std::array<char, kLongestName>& out) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < name.size() && size < out.size(); ++i) {
    if (LeadingEscape(name.substr(i))) {
      i += 2;
    } else if (IsLetterOrDigit(name[i])) {
      out[size++] = LowerOf(name[i]);
    }
  }
  return {out.data(), size};
}

// What an escape at the end of a name reaches of it, and the three letters behind it.
constexpr std::size_t kPlainEnding = 5;

}  // namespace

bool CanEndFieldName(std::string_view text) {
  if (text.empty() || !kLastBytes[static_cast<unsigned char>(text.back())]) return false;
  const std::size_t size = text.size();
  if (size < kPlainEnding) return true;
  const std::string_view end = text.substr(size - kPlainEnding);
  // Where folding leaves something out, only the folded name tells.
  const bool is_plain = end[0] != '%' && end[1] != '%' && IsLetterOrDigit(end[2]) &&
                        IsLetterOrDigit(end[3]) && IsLetterOrDigit(end[4]);
  return !is_plain || kEndingFilter.MayHave(LowerOf(end[2]), LowerOf(end[3]), LowerOf(end[4]));
}

std::optional<FieldMeaning> MeaningOfField(std::string_view name) {
  if (!CanEndFieldName(name)) return std::nullopt;
  if (name.size() > kLongestName) name.remove_prefix(name.size() - kLongestName);
  std::array<char, kLongestName> buffer;
  const std::string_view folded = FoldName(name, buffer);
  if (!CanMean(folded)) return std::nullopt;
  std::size_t i = kRowChains.first[static_cast<unsigned char>(folded.back())];
  for (; i != RowChains::kEnd; i = kRowChains.next[i]) {
    const FieldRow& row = kFieldRows[i];
    if (row.name[row.name.size() - 2] != folded[folded.size() - 2]) continue;
    const bool fits =
        row.match == NameMatch::kEnding ? folded.ends_with(row.name) : folded == row.name;
    if (!fits) continue;
    const bool is_harmless = std::ranges::any_of(
        kHarmlessNames, [&](std::string_view other) { return folded.ends_with(other); });
    if (is_harmless) return std::nullopt;
    return FieldMeaning{row.kind, row.numbers};
  }
  return std::nullopt;
}

}  // namespace falconer::policy
