#include <gtest/gtest.h>

#include "policy/body/request_body.h"
#include "policy/risk/amount_reader.h"
#include "policy/risk/field_kind.h"
#include "policy/risk/words.h"

namespace falconer::policy {
namespace {

TEST(AmountReaderTest, ReadsAmountsAsPeopleWriteThem) {
  struct Row {
    const char* text;
    const char* expected;  // of the first; "" for none
  };
  constexpr Row kRows[] = {
      {"Pay $1,234.56 now", "1234.56 USD"},
      {"1.234,56 €", "1234.56 EUR"},
      {"€ 1.234", "1234 EUR"},
      {"Total: EUR 12", "12 EUR"},
      {"12.50 GBP", "12.50 GBP"},
      {"£9.99", "9.99 GBP"},
      {"¥1,000", "1000 JPY"},
      {"10,000円", "10000 JPY"},
      {"99元", "99 CNY"},
      {"R$ 10,00", "10 BRL"},
      {"US$5", "5 USD"},
      {"CA$ 5", "5 CAD"},
      {"1 234,50 €", "1234.50 EUR"},
      {"1\u202f234,50\u00a0€", "1234.50 EUR"},
      {"1'234.50 CHF", "1234.50 CHF"},
      {"20 kr", "20"},
      {"₹1,00,000", "100000 INR"},
      {"Buy 3 items", ""},
      {"iPhone 15", ""},
      {"USDA 15", ""},
      {"", ""},
  };
  for (const Row& row : kRows) {
    const std::vector<model::Money> found = AmountsIn(row.text);
    EXPECT_EQ(found.empty() ? "" : found.front().ToText(), row.expected) << row.text;
  }
}

std::string AmountText(std::string_view json) {
  const auto amount = AmountOf(ReadRequestBody("application/json", json).fields);
  return amount ? amount->ToText() : "none";
}

TEST(AmountReaderTest, ReadsAmountsOfRequests) {
  EXPECT_EQ(AmountText(R"({"amount":49.5,"currency":"eur"})"), "49.50 EUR");
  EXPECT_EQ(AmountText(R"({"amount":{"value":"10.00","currency_code":"USD"}})"), "10 USD");
  EXPECT_EQ(AmountText(R"({"unit_amount":4999,"currency":"usd"})"), "49.99 USD");
  EXPECT_EQ(AmountText(R"({"price":5,"grandTotal":17,"currency":"USD"})"), "17 USD");
  EXPECT_EQ(AmountText(R"({"total":"$12.00"})"), "12 USD");
  EXPECT_EQ(AmountText(R"({"amount":12})"), "12");
  EXPECT_EQ(AmountText(R"({"total":"$12.00","price":"10 €"})"), "none") << "two currencies";
  EXPECT_EQ(AmountText(R"({"amount":5,"from_currency":"USD","to_currency":"EUR"})"), "5");
  EXPECT_EQ(AmountText(R"({"totalCount":12,"name":"x"})"), "none");
}

TEST(FieldKindTest, GoesByTypeAttributeNameAndLabel) {
  using K = model::FieldKind;
  struct Row {
    model::FieldFacts field;
    K kind;
  };
  const Row rows[] = {
      {{.name = "x", .autocomplete = "section-a cc-number"}, K::kCardNumber},
      {{.name = "cardNumber", .type = "tel"}, K::kCardNumber},
      {{.name = "payment[cvv]"}, K::kCardCode},
      {{.name = "expiryDate"}, K::kCardExpiry},
      {{.name = "pwd", .type = "password"}, K::kPassword},
      {{.name = "new_password", .type = "password"}, K::kNewPassword},
      {{.name = "q"}, K::kSearch},
      {{.name = "f", .type = "file"}, K::kFile},
      {{.name = "amount.currency_code"}, K::kCurrency},
      {{.name = "transferAmount"}, K::kAmount},
      {{.label = "Betrag"}, K::kAmount},
      {{.name = "dob"}, K::kBirthDate},
      {{.name = "company"}, K::kOther},
      {{.name = "panel"}, K::kOther},
      {{}, K::kOther},
  };
  for (const Row& row : rows) EXPECT_EQ(KindOf(row.field), row.kind) << row.field.name;
}

TEST(FieldKindTest, KnowsCardNumbersByTheirCheckDigit) {
  EXPECT_TRUE(LooksLikeCardNumber("4111 1111 1111 1111"));
  EXPECT_TRUE(LooksLikeCardNumber("378282246310005"));
  for (const char* text : {"4111111111111112", "411111111111", "0000000000000000",
                           "x4111111111111111", "", "20261115123456789012"}) {
    EXPECT_FALSE(LooksLikeCardNumber(text)) << text;
  }
}

TEST(WordsTest, SplitsNames) {
  EXPECT_EQ(IdentifierWords("deleteHTMLItem"), (Words{"delete", "html", "item"}));
  EXPECT_EQ(IdentifierWords("user[delete-all]_2"), (Words{"user", "delete", "all", "2"}));
  EXPECT_EQ(WordsOf("Konto löschen!"), (Words{"konto", "loschen"}));
  EXPECT_TRUE(HasPhrase({"a", "b", "c"}, "b c"));
  EXPECT_FALSE(HasPhrase({"a", "b"}, "b c"));
}

}  // namespace
}  // namespace falconer::policy
