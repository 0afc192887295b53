#include "policy/risk/field_kind.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "policy/risk/words.h"

namespace falconer::policy {
namespace {

using Kind = model::FieldKind;

struct KindRow {
  std::string_view text;
  Kind kind;
};

constexpr KindRow kTypes[] = {
    {"password", Kind::kPassword}, {"file", Kind::kFile}, {"search", Kind::kSearch},
    {"email", Kind::kEmail},       {"tel", Kind::kPhone},
};

// Values of the autocomplete attribute; the longest beginning counts.
constexpr KindRow kAutocompletes[] = {
    {"cc-number", Kind::kCardNumber},
    {"cc-csc", Kind::kCardCode},
    {"cc-exp", Kind::kCardExpiry},
    {"current-password", Kind::kPassword},
    {"new-password", Kind::kNewPassword},
    {"one-time-code", Kind::kOneTimeCode},
    {"transaction-amount", Kind::kAmount},
    {"transaction-currency", Kind::kCurrency},
    {"email", Kind::kEmail},
    {"tel", Kind::kPhone},
    {"street-address", Kind::kAddress},
    {"address-", Kind::kAddress},
    {"postal-code", Kind::kAddress},
    {"given-name", Kind::kPersonName},
    {"family-name", Kind::kPersonName},
    {"name", Kind::kPersonName},
    {"bday", Kind::kBirthDate},
};

// Phrases in names and labels, in the order in which they are tried.
constexpr KindRow kNames[] = {
    {"card number", Kind::kCardNumber},
    {"cardnumber", Kind::kCardNumber},
    {"cc number", Kind::kCardNumber},
    {"ccnumber", Kind::kCardNumber},
    {"cc num", Kind::kCardNumber},
    {"credit card", Kind::kCardNumber},
    {"creditcard", Kind::kCardNumber},
    {"kartennummer", Kind::kCardNumber},
    {"numero de carte", Kind::kCardNumber},
    {"numero de tarjeta", Kind::kCardNumber},
    {"numero do cartao", Kind::kCardNumber},
    {"numero carta", Kind::kCardNumber},
    {"kaartnummer", Kind::kCardNumber},
    {"pan", Kind::kCardNumber},
    {"cvv", Kind::kCardCode},
    {"cvc", Kind::kCardCode},
    {"csc", Kind::kCardCode},
    {"security code", Kind::kCardCode},
    {"card code", Kind::kCardCode},
    {"prufnummer", Kind::kCardCode},
    {"expiry", Kind::kCardExpiry},
    {"exp month", Kind::kCardExpiry},
    {"exp year", Kind::kCardExpiry},
    {"expiration", Kind::kCardExpiry},
    {"iban", Kind::kBankAccount},
    {"account number", Kind::kBankAccount},
    {"routing number", Kind::kBankAccount},
    {"sort code", Kind::kBankAccount},
    {"kontonummer", Kind::kBankAccount},
    {"new password", Kind::kNewPassword},
    {"password confirmation", Kind::kNewPassword},
    {"confirm password", Kind::kNewPassword},
    {"password new", Kind::kNewPassword},
    {"password repeat", Kind::kNewPassword},
    {"neues passwort", Kind::kNewPassword},
    {"password", Kind::kPassword},
    {"passwd", Kind::kPassword},
    {"passwort", Kind::kPassword},
    {"mot de passe", Kind::kPassword},
    {"contrasena", Kind::kPassword},
    {"senha", Kind::kPassword},
    {"wachtwoord", Kind::kPassword},
    {"otp", Kind::kOneTimeCode},
    {"totp", Kind::kOneTimeCode},
    {"one time code", Kind::kOneTimeCode},
    {"verification code", Kind::kOneTimeCode},
    {"mfa code", Kind::kOneTimeCode},
    {"currency", Kind::kCurrency},
    {"currency code", Kind::kCurrency},
    {"wahrung", Kind::kCurrency},
    {"devise", Kind::kCurrency},
    {"moneda", Kind::kCurrency},
    {"moeda", Kind::kCurrency},
    {"valuta", Kind::kCurrency},
    {"total count", Kind::kQuantity},
    {"total items", Kind::kQuantity},
    {"total pages", Kind::kQuantity},
    {"item count", Kind::kQuantity},
    {"amount", Kind::kAmount},
    {"total", Kind::kAmount},
    {"grandtotal", Kind::kAmount},
    {"subtotal", Kind::kAmount},
    {"price", Kind::kAmount},
    {"cost", Kind::kAmount},
    {"betrag", Kind::kAmount},
    {"montant", Kind::kAmount},
    {"importe", Kind::kAmount},
    {"monto", Kind::kAmount},
    {"importo", Kind::kAmount},
    {"bedrag", Kind::kAmount},
    {"valor", Kind::kAmount},
    {"金額", Kind::kAmount},
    {"金额", Kind::kAmount},
    {"quantity", Kind::kQuantity},
    {"qty", Kind::kQuantity},
    {"menge", Kind::kQuantity},
    {"quantite", Kind::kQuantity},
    {"cantidad", Kind::kQuantity},
    {"ssn", Kind::kNationalId},
    {"social security", Kind::kNationalId},
    {"national id", Kind::kNationalId},
    {"passport", Kind::kNationalId},
    {"tax id", Kind::kNationalId},
    {"cpf", Kind::kNationalId},
    {"bsn", Kind::kNationalId},
    {"dni", Kind::kNationalId},
    {"date of birth", Kind::kBirthDate},
    {"birth date", Kind::kBirthDate},
    {"birthdate", Kind::kBirthDate},
    {"birthday", Kind::kBirthDate},
    {"dob", Kind::kBirthDate},
    {"geburtsdatum", Kind::kBirthDate},
    {"email", Kind::kEmail},
    {"e mail", Kind::kEmail},
    {"phone", Kind::kPhone},
    {"telephone", Kind::kPhone},
    {"telefon", Kind::kPhone},
    {"mobile", Kind::kPhone},
    {"street", Kind::kAddress},
    {"address", Kind::kAddress},
    {"postcode", Kind::kAddress},
    {"postal code", Kind::kAddress},
    {"zip", Kind::kAddress},
    {"first name", Kind::kPersonName},
    {"firstname", Kind::kPersonName},
    {"last name", Kind::kPersonName},
    {"lastname", Kind::kPersonName},
    {"full name", Kind::kPersonName},
    {"surname", Kind::kPersonName},
    {"vorname", Kind::kPersonName},
    {"nachname", Kind::kPersonName},
    {"search", Kind::kSearch},
    {"query", Kind::kSearch},
    {"q", Kind::kSearch},
    {"keyword", Kind::kSearch},
    {"keywords", Kind::kSearch},
    {"suche", Kind::kSearch},
    {"recherche", Kind::kSearch},
    {"buscar", Kind::kSearch},
    {"zoek", Kind::kSearch},
    {"検索", Kind::kSearch},
    {"搜索", Kind::kSearch},
};

Kind KindOfWords(const Words& words) {
  for (const KindRow& row : kNames) {
    if (HasPhrase(words, row.text)) return row.kind;
  }
  return Kind::kOther;
}

Kind KindOfAutocomplete(std::string_view attribute) {
  // "section-a shipping cc-number": the last word says what it is.
  const std::string text = ToLower(Trim(attribute));
  const std::string_view last = std::string_view(text).substr(text.rfind(' ') + 1);
  for (const KindRow& row : kAutocompletes) {
    if (last.starts_with(row.text)) return row.kind;
  }
  return Kind::kOther;
}

constexpr std::size_t kMinCardDigits = 13;
constexpr std::size_t kMaxCardDigits = 19;

}  // namespace

model::FieldKind KindOfName(std::string_view name) {
  return KindOfWords(IdentifierWords(name));
}

model::FieldKind FieldKinds::Of(std::string_view name) {
  std::string key;
  for (const char c : name) {
    const bool is_digit = IsDigit(c);
    if (!is_digit || key.empty() || key.back() != '0') key += is_digit ? '0' : c;
  }
  const auto [found, is_new] = known_.try_emplace(std::move(key), Kind::kOther);
  if (is_new) found->second = KindOfName(name);
  return found->second;
}

model::FieldKind KindOf(const model::FieldFacts& field) {
  const Kind declared = KindOfAutocomplete(field.autocomplete);
  if (declared != Kind::kOther) return declared;
  const Kind named = KindOfName(field.name);
  const Kind labelled = named == Kind::kOther ? KindOfWords(WordsOf(field.label)) : named;
  for (const KindRow& row : kTypes) {
    if (field.type != row.text) continue;
    // The name can make a password a new one, or a phone field one for a card; not less than that.
    const bool is_finer = labelled == Kind::kNewPassword || labelled == Kind::kCardNumber ||
                          labelled == Kind::kCardCode || labelled == Kind::kOneTimeCode;
    return is_finer ? labelled : row.kind;
  }
  return labelled;
}

void ClassifyFields(model::FormFacts& form) {
  form.kinds = {};
  for (const model::FieldFacts& field : form.fields) form.kinds.Add(KindOf(field));
}

bool LooksLikeCardNumber(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (IsDigit(c)) {
      digits += c;
    } else if (c != ' ' && c != '-') {
      return false;
    }
  }
  if (digits.size() < kMinCardDigits || digits.size() > kMaxCardDigits) return false;
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int digit = digits[digits.size() - 1 - i] - '0';
    const int doubled = digit * 2;
    sum += i % 2 == 0 ? digit : doubled / 10 + doubled % 10;
  }
  return sum % 10 == 0 && digits.find_first_not_of('0') != digits.npos;
}

}  // namespace falconer::policy
