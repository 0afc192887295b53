#include "policy/redaction/mask.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

TEST(MaskTest, MasksByTheTable) {
  struct Row {
    FindingKind kind;
    const char* value;
    const char* expected;
  };
  constexpr Row kRows[] = {
      {FindingKind::kPassword, "hunter2", "********"},
      {FindingKind::kCard, "4111 1111 1111 1234", "****-****-****-1234"},
      {FindingKind::kCard, "12", "****-****-****-****"},
      {FindingKind::kSsn, "123-45-1234", "***-**-1234"},
      {FindingKind::kApiKey, "sk_live_abcdefghijklxxxx", "sk_...xxxx"},
      {FindingKind::kApiKey, "sk-ant-abcdefghijklxxxx", "sk-...xxxx"},
      {FindingKind::kApiKey, "abcdefghijklmnopqrstxxxx", "abc...xxxx"},
      {FindingKind::kApiKey, "short_key", "********"},
      {FindingKind::kApiKey, "0123456789abcd\"}", "********"},
      {FindingKind::kEmail, "jane@example.com", "j***@example.com"},
      {FindingKind::kEmail, "äh@example.com", "****@example.com"},
      {FindingKind::kEmail, "nobody", "********"},
      {FindingKind::kSecurityCode, "123", "***"},
      {FindingKind::kIban, "DE89370400440532013000", "DE**...3000"},
      {FindingKind::kPhone, "+49 30 1234567", "***4567"},
      {FindingKind::kAuthorization, "Bearer abc", "Bearer ********"},
      {FindingKind::kAuthorization, "abc def", "********"},
      {FindingKind::kCookie, "a=1; b=2; Path=/; Secure", "a=********; b=********; Path=/; Secure"},
      {FindingKind::kCookie, "bare", "********"},
      {FindingKind::kPrivateKey, "-----BEGIN", "[private_key]"},
  };
  for (const Row& row : kRows) EXPECT_EQ(MaskOf(row.kind, row.value), row.expected) << row.value;
}

TEST(MaskTest, KnowsItsOwnMasks) {
  for (const FindingTraits& row : AllFindingKinds()) {
    for (const char* value : {"4111111111111111", "jane@example.com", "sk_live_abcdefghijklxxxx",
                              "a=1; b=2", "Bearer abc", "DE89370400440532013000", "x"}) {
      const std::string mask = MaskOf(row.kind, value);
      EXPECT_TRUE(IsMasked(mask)) << row.name << ": " << mask;
      EXPECT_EQ(MaskOf(row.kind, mask), mask) << row.name;
    }
  }
}

TEST(MaskTest, TakesNoOrdinaryValueForAMask) {
  for (const char* value : {"hunter2", "[x]", "[my password]", "***hunter2", "a...bc", "****12345",
                            "1234-5678", "Bearer abc", "a=1", "[secretly]", "x***@"}) {
    EXPECT_FALSE(IsMasked(value)) << value;
  }
}

TEST(MaskTest, EveryKindHasItsRow) {
  std::size_t index = 0;
  for (const FindingTraits& row : AllFindingKinds()) {
    EXPECT_EQ(static_cast<std::size_t>(row.kind), index++) << row.name;
    EXPECT_EQ(&TraitsOf(row.kind), &row);
  }
}

TEST(MaskTest, TellsTextsThatMayHaveBeenMasked) {
  for (const std::string_view text :
       {"pay with ****-****-****-1234 now", "key sk_...9aBc", "[secret shop]!", "x [email dropped]",
        "Bearer ********", "DE**...1234", "j***@example.com", "***"}) {
    EXPECT_TRUE(MayHoldMask(text)) << text;
  }
  for (const std::string_view text :
       {"", "wait... and see", "list[0] of [things]", "a**b", "Loading...", "[unclosed"}) {
    EXPECT_FALSE(MayHoldMask(text)) << text;
  }
}

}  // namespace
}  // namespace falconer::policy
