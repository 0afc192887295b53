// Base64url, keys, compact JWS, the table of faults.

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/token_bench.h"

namespace falconer::policy {
namespace {

using test::KeyOf;
using test::ReasonOf;
using test::TokenBench;

TEST(Base64UrlTest, ReadsWhatItWrites) {
  std::string bytes;
  for (int i = 0; i < 70; ++i) {
    EXPECT_EQ(DecodeBase64Url(EncodeBase64Url(bytes)), bytes);
    bytes += static_cast<char>(i * 37 + 200);
  }
  EXPECT_EQ(EncodeBase64Url("\xfb\xff"), "-_8");
}

TEST(Base64UrlTest, RefusesWhateverHasAnotherReading) {
  for (const std::string_view text : {"A", "AAAAA", "AB", "AAB", "AA==", "AA=", "A A", "A+AA",
                                      "A/AA", "AAAA\n", "AAA\xff", "AA.A"}) {
    EXPECT_FALSE(DecodeBase64Url(text)) << text;
  }
  EXPECT_EQ(DecodeBase64Url(""), "");
}

TEST(TokenFaultTest, EveryFaultHasItsOwnWordAndItsPlace) {
  std::set<std::string_view> reasons;
  for (std::size_t i = 0; i < AllTokenFaults().size(); ++i) {
    const TokenFaultRow& row = AllTokenFaults()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.fault), i) << row.reason;
    EXPECT_TRUE(reasons.insert(row.reason).second) << row.reason;
  }
  EXPECT_EQ(AllTokenFaults().back().fault, TokenFault::kOutsideWindow) << "a row is missing";
}

TEST(TokenFaultTest, ThePageAboutTokensNamesThemAll) {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "../../../docs/tokens.md";
  const auto page = ReadFile(path);
  ASSERT_TRUE(page) << path;
  for (const TokenFaultRow& row : AllTokenFaults()) {
    const std::string line =
        "| `" + std::string(row.reason) + "` | `" + std::string(TraitsOf(row.code).name) + "` | ";
    EXPECT_TRUE(page->contains(line)) << line;
  }
  for (const auto& [capability, name] : model::kCapabilities) {
    EXPECT_TRUE(page->contains("`" + std::string(name) + "`")) << name;
  }
}

TEST(CapabilityRulesTest, EveryCapabilityHasARowAndNothingMutatingLivesLong) {
  for (const auto& [capability, name] : model::kCapabilities) {
    const CapabilityRule& rule = RuleOf(capability);
    EXPECT_EQ(rule.capability, capability) << name;
    const bool is_harmless = capability == model::Capability::kRead ||
                             capability == model::Capability::kNavigate ||
                             capability == model::Capability::kInteract;
    EXPECT_TRUE(is_harmless || rule.lifetime <= kMutatingLifetime) << name;
  }
  EXPECT_EQ(AllCapabilityRules().size(), std::size(model::kCapabilities));
}

TEST(TokenKeyTest, ChecksItsOwnSignaturesAndNoOthers) {
  for (const auto& [algorithm, name] : kTokenAlgorithms) {
    const TokenKey& key = KeyOf(algorithm);
    const std::string signature = key.Sign("text");
    EXPECT_TRUE(key.Verifies("text", signature)) << name;
    EXPECT_TRUE(key.Verifies("text", signature)) << name << " a second time";
    EXPECT_FALSE(key.Verifies("texT", signature)) << name;
    EXPECT_FALSE(key.Verifies("text", "")) << name;
    EXPECT_FALSE(key.Verifies("text", signature + '\0')) << name;
    EXPECT_FALSE(key.Verifies("text", std::string(signature.size(), '\0'))) << name;
    for (std::size_t i = 0; i < signature.size(); i += 7) {
      std::string changed = signature;
      changed[i] ^= 1;
      EXPECT_FALSE(key.Verifies("text", changed)) << name << " byte " << i;
    }
    EXPECT_TRUE(key.Verifies("text", key.Sign("text"))) << name << " after refusals";
  }
}

TEST(TokenKeyTest, GoesThroughItsPemForms) {
  for (const auto& [algorithm, name] : kTokenAlgorithms) {
    const TokenKey& key = KeyOf(algorithm);
    const auto whole = TokenKey::FromPem(key.PrivatePem());
    const auto half = TokenKey::FromPem(key.PublicPem());
    ASSERT_TRUE(whole && half) << name;
    EXPECT_TRUE(whole->can_sign()) << name;
    EXPECT_FALSE(half->can_sign()) << name;
    EXPECT_EQ(whole->algorithm(), algorithm) << name;
    EXPECT_EQ(whole->id(), half->id()) << name;
    EXPECT_TRUE(half->Verifies("text", whole->Sign("text"))) << name;
    EXPECT_FALSE(half->PublicPem().contains("PRIVATE")) << name;
  }
}

TEST(TokenKeyTest, RefusesKeysThatAreNoneOrOfAnotherKind) {
  EXPECT_FALSE(TokenKey::FromPem(""));
  EXPECT_FALSE(TokenKey::FromPem("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"));
  // secp256k1.
  EXPECT_FALSE(
      TokenKey::FromPem("-----BEGIN PUBLIC KEY-----\n"
                        "MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEeb5mfvncu6xVoGKVzocLBwKb/NstzijZ\n"
                        "WfKBWxb4F5hIOtp3JqPEZV2k+/wOEQio/Re0SKaFVBmcR9CP+xDUuA==\n"
                        "-----END PUBLIC KEY-----\n"));
}

TEST(TokenKeyTest, RefusesJwksThatAreForSomethingElseOrCarrySecrets) {
  const json::object good{
      {"kty", "OKP"}, {"crv", "Ed25519"}, {"x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}};
  ASSERT_TRUE(TokenKey::FromJwk(good));
  const json::object changes[] = {{{"kty", "oct"}, {"k", "AAAA"}},
                                  {{"kty", "EC"}},
                                  {{"crv", "X25519"}},
                                  {{"x", "AAAA"}},
                                  {{"x", 7}},
                                  {{"alg", "ES256"}},
                                  {{"alg", nullptr}},
                                  {{"use", "enc"}},
                                  {{"key_ops", json::array{"encrypt"}}},
                                  {{"key_ops", "verify"}},
                                  {{"d", "AAAA"}}};
  for (const json::object& change : changes) {
    json::object jwk = good;
    for (const auto& [name, value] : change) jwk[name] = value;
    EXPECT_FALSE(TokenKey::FromJwk(jwk)) << json::serialize(jwk);
  }
}

TEST(CompactJwsTest, ReadsWhatItSigns) {
  const std::string token = SignCompactJws("{}", "k1", KeyOf(TokenAlgorithm::kEs256));
  const auto jws = ParseCompactJws(token);
  ASSERT_TRUE(jws) << jws.error().message();
  EXPECT_EQ(jws->key_name, "k1");
  EXPECT_EQ(jws->type, "JWT");
  EXPECT_EQ(jws->payload, "{}");
  EXPECT_TRUE(VerifyJws(*jws, KeyOf(TokenAlgorithm::kEs256)));
  EXPECT_EQ(ReasonOf(VerifyJws(*jws, KeyOf(TokenAlgorithm::kEdDsa))), "alg_mismatch");
}

TEST(CompactJwsTest, TakesTheExampleOfRfc8037) {
  const auto key = TokenKey::FromJwk(
      {{"kty", "OKP"}, {"crv", "Ed25519"}, {"x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}});
  const std::string_view token =
      "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PG"
      "cvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
  const auto jws = ParseCompactJws(token);
  ASSERT_TRUE(key && jws);
  EXPECT_EQ(ReasonOf(VerifyJws(*jws, *key)), "accepted");
}

struct FormCase {
  std::string token;
  std::string reason;
};

TEST(CompactJwsTest, RefusesEveryOtherForm) {
  const std::string good = TokenBench::SignTexts(R"({"alg":"EdDSA"})", "x");
  ASSERT_EQ(ReasonOf(ParseCompactJws(good)), "accepted");
  const std::string header = good.substr(0, good.find('.'));
  const std::string rest = good.substr(good.find('.'));
  const FormCase cases[] = {
      {"", "malformed"},
      {"abc", "malformed"},
      {"a.b", "malformed"},
      {good + ".", "malformed"},
      {good + ".AAAA", "malformed"},
      {R"({"payload":"Zm9v","signatures":[]})", "malformed"},
      {rest.substr(1), "malformed"},
      {rest, "bad_header"},
      {header + "=" + rest, "bad_encoding"},
      {" " + good, "bad_encoding"},
      {good + "\n", "bad_encoding"},
      {header.substr(0, header.size() - 1) + rest, "bad_encoding"},
      {header + "..AAAA", "accepted"},
      {header + ".AB.AAAA", "bad_encoding"},
      {good.substr(0, good.rfind('.') + 1), "no_signature"},
      {std::string(kMaxTokenLength + 1, 'A'), "too_long"},
  };
  for (const FormCase& each : cases) {
    EXPECT_EQ(ReasonOf(ParseCompactJws(each.token)), each.reason) << each.token.substr(0, 60);
  }
}

TEST(CompactJwsTest, NamesOfKeysCannotBePaths) {
  for (const std::string_view name : {"k1", "2026-01.prod", "bilbo@hobbiton.example", "a:b=c+d"}) {
    EXPECT_TRUE(IsKeyName(name)) << name;
  }
  for (const std::string_view name : {"", ".", "..", "../../etc/passwd", "a/b", "a\\b", ".hidden",
                                      "a..b", "k 1", "k'1", "k\n", "k%2f", "|ls", "\xc3\xa9"}) {
    EXPECT_FALSE(IsKeyName(name)) << name;
  }
  EXPECT_FALSE(IsKeyName(std::string(kMaxKeyName + 1, 'k')));
  EXPECT_FALSE(IsKeyName(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace falconer::policy
