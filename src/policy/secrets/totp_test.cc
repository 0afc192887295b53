#include "policy/secrets/totp.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

std::chrono::sys_seconds CodeAt(std::int64_t seconds) {
  return std::chrono::sys_seconds(std::chrono::seconds(seconds));
}

// RFC 6238, appendix B.
TEST(TotpTest, AgreesWithTheVectorsOfItsStandard) {
  struct Row {
    std::int64_t seconds;
    const char* sha1;
    const char* sha256;
    const char* sha512;
  };
  constexpr Row kRows[] = {
      {59, "94287082", "46119246", "90693936"},
      {1111111109, "07081804", "68084774", "25091201"},
      {1111111111, "14050471", "67062674", "99943326"},
      {1234567890, "89005924", "91819424", "93441116"},
      {2000000000, "69279037", "90698825", "38618901"},
      {20000000000, "65353130", "77737706", "47863826"},
  };
  const std::string digits = "12345678901234567890";
  const auto code = [&](TotpHash hash, std::size_t size, std::int64_t seconds) {
    std::string seed;
    while (seed.size() < size) seed += digits;
    const TotpSpec spec{.seed = SecretText(seed.substr(0, size)), .hash = hash, .digits = 8};
    return std::string(TotpCode(spec, CodeAt(seconds)).Reveal());
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(code(TotpHash::kSha1, 20, row.seconds), row.sha1);
    EXPECT_EQ(code(TotpHash::kSha256, 32, row.seconds), row.sha256);
    EXPECT_EQ(code(TotpHash::kSha512, 64, row.seconds), row.sha512);
  }
}

TEST(TotpTest, ReadsUrisAndSeeds) {
  const auto spec = ParseTotp(
      "otpauth://totp/"
      "Shop:jane?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Shop&algorithm=SHA256"
      "&digits=8&period=60");
  ASSERT_TRUE(spec) << Describe(spec.error());
  EXPECT_EQ(spec->seed.Reveal(), "12345678901234567890");
  EXPECT_EQ(spec->hash, TotpHash::kSha256);
  EXPECT_EQ(spec->digits, 8);
  EXPECT_EQ(spec->period, std::chrono::seconds(60));
  EXPECT_EQ(TotpTimeLeft(*spec, CodeAt(70)), std::chrono::seconds(50));

  const auto seed = ParseTotp("gezd gnbv gy3t qojq gezd gnbv gy3t qojq");
  ASSERT_TRUE(seed);
  EXPECT_EQ(TotpCode(*seed, CodeAt(59)).Reveal(), "287082");
}

TEST(TotpTest, RefusesWhatIsNoSeedWithoutQuotingIt) {
  for (const char* text :
       {"", "GEZDGNBV", "not base32 at all!", "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBV",
        "otpauth://totp/x", "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBV&digits=5",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBV&algorithm=MD5",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBV&period=0"}) {
    const auto spec = ParseTotp(text);
    ASSERT_FALSE(spec) << text;
    EXPECT_EQ(spec.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_FALSE(spec.error().message().contains("GEZD")) << spec.error().message();
  }
}

}  // namespace
}  // namespace falconer::policy
