#include "policy/redaction/field_names.h"

#include <gtest/gtest.h>

#include "policy/redaction/entropy.h"
#include "policy/redaction/key_prefixes.h"

namespace falconer::policy {
namespace {

TEST(FieldNamesTest, KnowsWhatNamesMean) {
  struct Row {
    const char* name;
    FindingKind kind;
  };
  constexpr Row kRows[] = {
      {"password", FindingKind::kPassword},
      {"New-Password", FindingKind::kPassword},
      {"user[password]", FindingKind::kPassword},
      {"user%5Bpassword%5D", FindingKind::kPassword},
      {"userPwd", FindingKind::kPassword},
      {"pin", FindingKind::kPassword},
      {"X-Api-Key", FindingKind::kApiKey},
      {"client_secret", FindingKind::kApiKey},
      {"AWS_SECRET_ACCESS_KEY", FindingKind::kApiKey},
      {"access_token", FindingKind::kToken},
      {"csrfToken", FindingKind::kToken},
      {"JSESSIONID", FindingKind::kToken},
      {"Proxy-Authorization", FindingKind::kAuthorization},
      {"Set-Cookie", FindingKind::kCookie},
      {"cc-number", FindingKind::kCard},
      {"creditCardNumber", FindingKind::kCard},
      {"cvv2", FindingKind::kSecurityCode},
      {"card.cvc", FindingKind::kSecurityCode},
      {"SSN", FindingKind::kSsn},
      {"billing_email", FindingKind::kEmail},
      {"date_of_birth", FindingKind::kBirthDate},
      {"sms_otp", FindingKind::kOneTimeCode},
      {"diagnosis", FindingKind::kHealth},
  };
  for (const Row& row : kRows) {
    const auto meaning = MeaningOfField(row.name);
    ASSERT_TRUE(meaning) << row.name;
    EXPECT_EQ(meaning->kind, row.kind) << row.name;
  }
}

TEST(FieldNamesTest, LeavesOrdinaryNamesAlone) {
  for (const char* name : {"",
                           "name",
                           "tokens",
                           "tokens_used",
                           "max_tokens",
                           "token_type",
                           "next_page_token",
                           "password_hint_shown",
                           "passwords_match",
                           "secretary",
                           "spin",
                           "shipping",
                           "pinned",
                           "bypass",
                           "compass",
                           "author",
                           "authored",
                           "keyboard",
                           "key",
                           "id",
                           "code",

                           "prepan",
                           "forgot_password",
                           "session",
                           "cookie_banner",
                           "emailed",
                           "-",
                           "[]",
                           "%5B%5D"}) {
    EXPECT_FALSE(MeaningOfField(name)) << name;
  }
}

TEST(FieldNamesTest, NumbersAreSecretsOnlyWhereTheyCanBe) {
  EXPECT_EQ(MeaningOfField("cvv")->numbers, NumberRule::kIsSecretToo);
  EXPECT_EQ(MeaningOfField("token")->numbers, NumberRule::kStays);
}

TEST(KeyPrefixesTest, EveryPrefixIsFoundAndNeedsItsLength) {
  for (const KeyPrefix& row : AllKeyPrefixes()) {
    std::string rest;
    while (rest.size() < row.least) rest += "a1B2";
    rest.resize(row.least);
    const std::string key = std::string(row.prefix) + rest;
    EXPECT_TRUE(KeyBeginnings().MayHave(key[0], key[1], key[2])) << row.prefix;
    EXPECT_EQ(KeyLengthAt(key), key.size()) << row.prefix;
    EXPECT_EQ(KeyLengthAt(key + " and more"), key.size()) << row.prefix;
    const std::string cut = key.substr(0, row.prefix.size() + row.least / 4);
    EXPECT_EQ(KeyLengthAt(cut), 0U) << row.prefix;
  }
}

TEST(EntropyTest, TellsGeneratedFromWritten) {
  for (const char* token :
       {"A7bC9dE2fG4hI6jK8lM1nO3pQ5rS0tU7", "wJa9rXUt2FEMI/K7MDe6G/bPx3fiCYqR4mzLw8Tg",
        "kX9vQ2mZ7tR4wY1pL6sD8fG3hJ5nB0cV"}) {
    EXPECT_TRUE(LooksRandom(token)) << token;
  }
  for (const char* token :
       {"short1A", "StructuredStateExtractorReads2026Frames", "0123456789abcdef0123456789abcdef",
        "550e8400-e29b-41d4-a716-446655440000", "this-is-a-long-slug-with-2-numbers-and-words",
        "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123",
        "aaaaaaaaAAAAAAAA1111111122222222", "getElementByIdAndClassNameVersion2Final"}) {
    EXPECT_FALSE(LooksRandom(token)) << token;
  }
}

}  // namespace
}  // namespace falconer::policy
