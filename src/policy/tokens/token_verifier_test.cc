#include "policy/tokens/token_verifier.h"

#include <gtest/gtest.h>

#include "tests/support/token_bench.h"

namespace falconer::policy {
namespace {

using namespace std::chrono_literals;
using model::Capability;
using test::KeyOf;
using test::ReasonOf;
using test::TokenBench;

class TokenVerifierTest : public testing::Test {
 protected:
  Result<VerifiedToken> Verify(std::string_view token) const {
    return TokenVerifier(bench_.rules, bench_.keys, bench_.clock).Verify(token);
  }
  std::string VerifyWith(const json::object& changes) const {
    return ReasonOf(Verify(TokenBench::Sign(bench_.ClaimsWith(changes))));
  }
  // A token with this header, rightly signed over it.
  std::string VerifyHeader(std::string_view header) const {
    return ReasonOf(Verify(TokenBench::SignTexts(header, json::serialize(bench_.Claims()))));
  }
  std::string VerifyPayload(std::string_view payload) const {
    return ReasonOf(
        Verify(TokenBench::SignTexts(R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA"})", payload)));
  }
  // Whether a token with these constraints allows the demand.
  std::string Use(const json::object& changes, const TokenDemand& demand) const {
    const TokenVerifier verifier(bench_.rules, bench_.keys, bench_.clock);
    const auto token = verifier.Verify(TokenBench::Sign(bench_.ClaimsWith(changes)));
    EXPECT_TRUE(token) << Describe(token.error());
    if (!token) return "not verified";
    return ReasonOf(verifier.CheckUse(*token, demand));
  }

  TokenBench bench_;
};

TEST_F(TokenVerifierTest, TakesTokensOfEveryAlgorithm) {
  for (const auto& [algorithm, name] : kTokenAlgorithms) {
    const auto token = Verify(TokenBench::Sign(bench_.Claims(), algorithm));
    ASSERT_TRUE(token) << name << ": " << Describe(token.error());
    EXPECT_EQ(token->key_name, name);
    EXPECT_EQ(token->claims.agent, AgentId("shopper"));
    EXPECT_EQ(token->claims.capabilities,
              (model::CapabilitySet{Capability::kRead, Capability::kPurchase}));
  }
}

TEST_F(TokenVerifierTest, ClaimsGoThroughJson) {
  const json::object full = bench_.ClaimsWith({{"aud", json::array{"abos-executor", "other"}},
                                               {"nbf", bench_.Now()},
                                               {"tenant", "acme"},
                                               {"tier", "gold"},
                                               {"plan_id", "plan-7"},
                                               {"auth", "passkey+biometric"},
                                               {"constraints", {{"pii_access", true}}}});
  const auto token = Verify(TokenBench::Sign(full));
  ASSERT_TRUE(token) << Describe(token.error());
  EXPECT_EQ(json::value(ToJson(token->claims)), json::value(full));
  EXPECT_EQ(token->tenant, TenantId("acme"));
}

TEST_F(TokenVerifierTest, RefusesABadSignature) {
  for (const auto& [algorithm, name] : kTokenAlgorithms) {
    std::string token = TokenBench::Sign(bench_.Claims(), algorithm);
    const std::size_t payload = token.find('.') + 5;
    token[payload] = token[payload] == 'A' ? 'B' : 'A';
    EXPECT_EQ(ReasonOf(Verify(token)), "bad_signature") << name;
  }
}

TEST_F(TokenVerifierTest, RefusesANullSignature) {
  const std::string token = TokenBench::Sign(bench_.Claims(), TokenAlgorithm::kEs256);
  const std::string start = token.substr(0, token.rfind('.') + 1);
  EXPECT_EQ(ReasonOf(Verify(start)), "no_signature");
  EXPECT_EQ(ReasonOf(Verify(start + EncodeBase64Url(std::string(64, '\0')))), "bad_signature");
}

TEST_F(TokenVerifierTest, RefusesASignatureOfAnotherKey) {
  const auto other = TokenKey::Generate(TokenAlgorithm::kEdDsa);
  const std::string token = SignCompactJws(json::serialize(bench_.Claims()), "EdDSA", other);
  EXPECT_EQ(ReasonOf(Verify(token)), "bad_signature");
}

TEST_F(TokenVerifierTest, RefusesAlgNoneInAnyCase) {
  for (const std::string_view name : {"none", "None", "NONE", "nOnE"}) {
    const std::string header =
        R"({"alg":")" + std::string(name) + R"(","typ":"JWT","kid":"RS256"})";
    const std::string text =
        EncodeBase64Url(header) + "." + EncodeBase64Url(json::serialize(bench_.Claims())) + ".";
    EXPECT_EQ(ReasonOf(Verify(text)), "alg_none") << name;
    EXPECT_EQ(ReasonOf(Verify(text + "AAAA")), "alg_none") << name;
  }
}

TEST_F(TokenVerifierTest, RefusesThePublicKeyAsASharedSecret) {
  EXPECT_EQ(VerifyHeader(R"({"alg":"HS256","typ":"JWT","kid":"RS256"})"), "alg_symmetric");
  EXPECT_EQ(VerifyHeader(R"({"alg":"HS512","typ":"JWT","kid":"RS256"})"), "alg_symmetric");
}

TEST_F(TokenVerifierTest, TheKeyDecidesTheAlgorithm) {
  EXPECT_EQ(VerifyHeader(R"({"alg":"RS256","typ":"JWT","kid":"EdDSA"})"), "alg_mismatch");
  EXPECT_EQ(VerifyHeader(R"({"alg":"EdDSA","typ":"JWT","kid":"RS256"})"), "alg_mismatch");
  for (const std::string_view name : {"PS256", "RS1", "ES384", "ES256K", "RS512", "eddsa"}) {
    EXPECT_EQ(VerifyHeader(R"({"alg":")" + std::string(name) + R"(","typ":"JWT","kid":"RS256"})"),
              "alg_unsupported")
        << name;
  }
}

struct HeaderCase {
  std::string_view header;
  std::string_view reason;
};

TEST_F(TokenVerifierTest, EveryHeaderAttackHasItsOwnReason) {
  const HeaderCase cases[] = {
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA"})", "accepted"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","jwk":{"kty":"OKP"}})", "embedded_jwk"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","jku":"https://evil.example/jwks"})", "jku"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","x5u":"https://evil.example/c.pem"})", "x5u"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","x5c":["MIIB"]})", "x5c"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","x5t":"AAAA"})", "x5t"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","crit":["exp"]})", "crit"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","b64":false})", "b64"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","zip":"DEF"})", "unknown_header"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","cty":"JWT"})", "unknown_header"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"../../dev/null"})", "bad_kid"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"a' OR '1'='1"})", "bad_kid"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":["EdDSA"]})", "bad_kid"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":""})", "bad_kid"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"nobody"})", "unknown_kid"},
      {R"({"alg":"EdDSA","typ":"JWT"})", "kid_missing"},
      {R"({"alg":"EdDSA","kid":"EdDSA"})", "wrong_typ"},
      {R"({"alg":"EdDSA","typ":"at+jwt","kid":"EdDSA"})", "wrong_typ"},
      {R"({"alg":"EdDSA","typ":7,"kid":"EdDSA"})", "bad_header"},
      {R"({"typ":"JWT","kid":"EdDSA"})", "alg_missing"},
      {R"({"alg":null,"typ":"JWT","kid":"EdDSA"})", "alg_missing"},
      {R"({"alg":["EdDSA"],"typ":"JWT","kid":"EdDSA"})", "alg_missing"},
      {R"({"alg":"none","alg":"EdDSA","typ":"JWT","kid":"EdDSA"})", "duplicate_member"},
      {R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","\u006bid":"RS256"})", "duplicate_member"},
      {R"([1])", "bad_header"},
      {R"({"alg":"EdDSA",)", "bad_header"},
      {"", "bad_header"},
  };
  for (const HeaderCase& each : cases)
    EXPECT_EQ(VerifyHeader(each.header), each.reason) << each.header;
}

TEST_F(TokenVerifierTest, RefusesClaimsThatAreMissingTwiceUnknownOrOfAnotherType) {
  for (const char* name : {"iss", "aud", "sub", "jti", "iat", "exp", "caps"}) {
    EXPECT_EQ(VerifyWith({{name, nullptr}}), "bad_claims") << name;
  }
  const std::string text = json::serialize(bench_.Claims());
  EXPECT_EQ(VerifyPayload(text.substr(0, text.size() - 1) + R"(,"caps":["ADMIN"]})"),
            "duplicate_member");
  EXPECT_EQ(VerifyPayload("[]"), "bad_claims");
  EXPECT_EQ(VerifyPayload("foo"), "bad_claims");
  EXPECT_EQ(VerifyPayload(""), "bad_claims");
  EXPECT_EQ(VerifyWith({{"scope", "admin"}}), "unknown_claim");
  EXPECT_EQ(VerifyWith({{"sub", 7}}), "bad_claims");
  EXPECT_EQ(VerifyWith({{"sub", ""}}), "bad_claims");
  EXPECT_EQ(VerifyWith({{"sub", "a\nb"}}), "bad_claims");
  EXPECT_EQ(VerifyWith({{"jti", std::string(kMaxClaimText + 1, 'j')}}), "bad_claims");
  EXPECT_EQ(VerifyWith({{"caps", json::array()}}), "bad_claims");
  EXPECT_EQ(VerifyWith({{"caps", "ADMIN"}}), "bad_claims");
  EXPECT_EQ(VerifyWith({{"caps", json::array{"FLY"}}}), "unknown_capability");
  EXPECT_EQ(VerifyWith({{"auth", "trust me"}}), "bad_claims");
  EXPECT_EQ(VerifyWith({{"constraints", json::array()}}), "bad_constraints");
  EXPECT_EQ(VerifyWith({{"constraints", {{"max_spend", 1}}}}), "bad_constraints");
}

TEST_F(TokenVerifierTest, TimesAreWholeSecondsAndNothingElse) {
  const std::string text = json::serialize(bench_.ClaimsWith({{"exp", nullptr}}));
  for (const std::string_view exp :
       {R"("9999999999")", "1e10", "9999999999.5", "-1", "null", "true", "[]", "{}",
        "99999999999999", "18446744073709551615", R"("NaN")"}) {
    const std::string payload =
        text.substr(0, text.size() - 1) + R"(,"exp":)" + std::string(exp) + "}";
    EXPECT_EQ(VerifyPayload(payload), "bad_time") << exp;
  }
  EXPECT_EQ(VerifyWith({{"exp", bench_.Now()}}), "bad_time") << "must be after iat";
  EXPECT_EQ(VerifyWith({{"nbf", "soon"}}), "bad_time");
  EXPECT_EQ(VerifyWith({{"iat", -5}}), "bad_time");
}

TEST_F(TokenVerifierTest, RefusesOtherIssuersAndAudiencesByTheirOwnCodes) {
  const auto issuer = Verify(TokenBench::Sign(bench_.ClaimsWith({{"iss", "somebody"}})));
  const auto audience = Verify(TokenBench::Sign(bench_.ClaimsWith({{"aud", "elsewhere"}})));
  ASSERT_FALSE(issuer || audience);
  EXPECT_EQ(issuer.error().code(), ErrorCode::kTokenWrongIssuer);
  EXPECT_EQ(audience.error().code(), ErrorCode::kTokenWrongAudience);
  EXPECT_EQ(VerifyWith({{"aud", json::array{"x", "abos-executor"}}}), "accepted");
  EXPECT_EQ(VerifyWith({{"aud", json::array{"x", "y"}}}), "wrong_audience");
  EXPECT_EQ(VerifyWith({{"aud", json::array()}}), "bad_claims");
  EXPECT_EQ(VerifyWith({{"aud", json::array{"abos-executor", 7}}}), "bad_claims");
}

TEST_F(TokenVerifierTest, ExpiresWithBoundedSkew) {
  const std::string token = TokenBench::Sign(bench_.Claims());
  bench_.clock.Advance(89s);
  EXPECT_EQ(ReasonOf(Verify(token)), "accepted");
  bench_.clock.Advance(1s);
  const auto late = Verify(token);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), ErrorCode::kTokenExpired);
}

TEST_F(TokenVerifierTest, IsNotValidBeforeItsTime) {
  const std::int64_t now = bench_.Now();
  EXPECT_EQ(VerifyWith({{"iat", now + 30}, {"exp", now + 60}}), "accepted");
  EXPECT_EQ(VerifyWith({{"iat", now + 31}, {"exp", now + 60}}), "not_yet_valid");
  EXPECT_EQ(VerifyWith({{"nbf", now + 31}}), "not_yet_valid");
}

TEST_F(TokenVerifierTest, LivesNoLongerThanItsCapabilitiesMay) {
  const std::int64_t now = bench_.Now();
  for (const CapabilityRule& rule : AllCapabilityRules()) {
    const json::array caps{model::CapabilityName(rule.capability)};
    const std::int64_t longest = rule.lifetime.count();
    EXPECT_EQ(VerifyWith({{"caps", caps}, {"exp", now + longest}}), "accepted") << caps;
    EXPECT_EQ(VerifyWith({{"caps", caps}, {"exp", now + longest + 1}}), "lives_too_long") << caps;
  }
  EXPECT_EQ(VerifyWith({{"caps", json::array{"CAP_READ", "MUTATE"}}, {"exp", now + 301}}),
            "lives_too_long");
}

TEST_F(TokenVerifierTest, RulesHaveBounds) {
  TokenRules rules;
  EXPECT_TRUE(CheckTokenRules(rules));
  rules.skew = 61s;
  EXPECT_FALSE(CheckTokenRules(rules));
  rules = {.issuer = ""};
  EXPECT_FALSE(CheckTokenRules(rules));
  rules = {.currency = "Euro"};
  EXPECT_FALSE(CheckTokenRules(rules));
}

TEST_F(TokenVerifierTest, AllowsOnlyWhatItHasTheCapabilityFor) {
  EXPECT_EQ(Use({}, {.capabilities = {Capability::kRead}}), "accepted");
  EXPECT_EQ(Use({}, {.capabilities = {Capability::kRead, Capability::kSubmit}}),
            "capability_missing");
  EXPECT_EQ(Use({{"caps", json::array{"CAP_MUTATE"}}},
                {.capabilities = {Capability::kWrite, Capability::kSubmit}}),
            "accepted");
  EXPECT_EQ(Use({{"caps", json::array{"ADMIN"}}}, {.capabilities = {Capability::kRead}}),
            "capability_missing")
      << "no capability stands for another";
}

TEST_F(TokenVerifierTest, IsOfOneTenantAndOneAgent) {
  bench_.rules.default_tenant = TenantId("local");
  const model::CapabilitySet read{Capability::kRead};
  EXPECT_EQ(Use({}, {.capabilities = read, .tenant = TenantId("local")}), "accepted");
  EXPECT_EQ(Use({}, {.capabilities = read, .tenant = TenantId("acme")}), "wrong_tenant");
  EXPECT_EQ(Use({{"tenant", "acme"}}, {.capabilities = read, .tenant = TenantId("acme")}),
            "accepted");
  EXPECT_EQ(Use({}, {.capabilities = read, .agent = AgentId("shopper")}), "accepted");
  EXPECT_EQ(Use({}, {.capabilities = read, .agent = AgentId("thief")}), "wrong_agent");
}

TEST_F(TokenVerifierTest, AsksForProofWhereTheRulesSaySo) {
  const TokenDemand demand{.capabilities = {Capability::kPurchase}};
  EXPECT_EQ(Use({}, demand), "accepted");
  bench_.rules.proof = ProofRule::kAsked;
  EXPECT_EQ(Use({}, demand), "proof_too_weak");
  EXPECT_EQ(Use({{"auth", "passkey"}}, demand), "proof_too_weak");
  EXPECT_EQ(Use({{"auth", "passkey+hardware"}}, demand), "proof_too_weak");
  EXPECT_EQ(Use({{"auth", "passkey+biometric"}}, demand), "accepted");
  EXPECT_EQ(Use({}, {.capabilities = {Capability::kRead}}), "accepted");
}

TEST_F(TokenVerifierTest, StaysWithinItsDomains) {
  const json::object limits{
      {"constraints",
       {{"domains", json::array{"shop.example.com", "*.example.org", "127.0.0.1"}}}}};
  const auto use = [&](std::string url) {
    return Use(limits, {.capabilities = {Capability::kRead}, .urls = {std::move(url)}});
  };
  for (const char* url : {"https://shop.example.com/cart", "http://SHOP.example.com:8080/",
                          "wss://a.b.example.org/x", "https://shop.example.com./",
                          "http://127.0.0.1/", "http://[::ffff:127.0.0.1]/", "about:blank", ""}) {
    EXPECT_EQ(use(url), "accepted") << url;
  }
  for (const char* url :
       {"https://example.com/", "https://example.org/", "https://shop.example.com.evil.test/",
        "https://evil.test/#shop.example.com", "https://shop.example.com@evil.test/",
        "https://evil.test\\@shop.example.com/", "https://evil.test/?shop.example.com",
        "data:text/html,x", "javascript:alert(1)", "file:///etc/passwd", "shop.example.com",
        "https:shop.example.com", "https://", "https://shop.example.com:99999/",
        "http://127.0.0.2/", "http://localhost/", "http://[::ffff:127.0.0.2]/",
        "http://[2002:7f00:1::]/", "chrome://settings"}) {
    EXPECT_EQ(use(url), "domain_outside") << url;
  }
  EXPECT_EQ(Use(limits, {.capabilities = {Capability::kRead},
                         .urls = {"https://shop.example.com/", "https://evil.test/"}}),
            "domain_outside")
      << "every address counts";
  EXPECT_EQ(Use({{"constraints", {{"domains", json::array()}}}},
                {.capabilities = {Capability::kRead}, .urls = {"https://shop.example.com/"}}),
            "domain_outside")
      << "an empty list allows nothing";
}

TEST_F(TokenVerifierTest, AStarDoesNotMeanPrivateHosts) {
  const json::object limits{{"constraints", {{"domains", json::array{"*"}}}}};
  const auto use = [&](std::string url) {
    return Use(limits, {.capabilities = {Capability::kRead}, .urls = {std::move(url)}});
  };
  EXPECT_EQ(use("https://shop.example.com/"), "accepted");
  for (const char* url : {"http://127.0.0.1/", "http://10.1.2.3/", "http://[::1]/",
                          "http://169.254.169.254/latest/meta-data"}) {
    EXPECT_EQ(use(url), "domain_outside") << url;
  }
}

TEST_F(TokenVerifierTest, SpendsNoMoreThanItMay) {
  const json::object limits{
      {"constraints", {{"max_purchase", {{"amount", "100.00"}, {"currency", "EUR"}}}}}};
  const auto spend = [&](std::optional<model::Money> amount) {
    return Use(limits, {.capabilities = {Capability::kPurchase}, .amount = std::move(amount)});
  };
  EXPECT_EQ(spend(model::Money{1'000'000, "EUR"}), "accepted");
  EXPECT_EQ(spend(model::Money{1'000'100, "EUR"}), "amount_over");
  EXPECT_EQ(spend(model::Money{10'000, "USD"}), "currency_other");
  EXPECT_EQ(spend(model::Money{10'000, ""}), "currency_other");
  EXPECT_EQ(spend(model::Money{-10'000, "EUR"}), "amount_unknown");
  EXPECT_EQ(spend(std::nullopt), "amount_unknown");
  EXPECT_EQ(Use(limits, {.capabilities = {Capability::kRead}}), "accepted");
  EXPECT_EQ(
      Use(limits, {.capabilities = {Capability::kRead}, .amount = model::Money{2'000'000, "EUR"}}),
      "amount_over")
      << "what is spent counts, whatever it is called";
}

TEST_F(TokenVerifierTest, ReachesPersonalDataOnlyWhenItMay) {
  const TokenDemand demand{.capabilities = {Capability::kRead}, .touches_pii = true};
  EXPECT_EQ(Use({}, demand), "pii_refused");
  EXPECT_EQ(Use({{"caps", json::array{"READ", "PII"}}}, demand), "accepted");
  EXPECT_EQ(Use({{"constraints", {{"pii_access", true}}}}, demand), "accepted");
  EXPECT_EQ(
      Use({{"caps", json::array{"READ", "PII"}}, {"constraints", {{"pii_access", false}}}}, demand),
      "pii_refused");
}

TEST_F(TokenVerifierTest, HoldsForItsTimeAndInItsHours) {
  const TokenDemand demand{.capabilities = {Capability::kRead}};
  const json::object limits{
      {"iat", bench_.Now()}, {"exp", bench_.Now() + 60}, {"constraints", {{"time_limit", 10}}}};
  bench_.clock.Advance(9s);
  EXPECT_EQ(Use(limits, demand), "accepted");
  bench_.clock.Advance(1s);
  EXPECT_EQ(Use(limits, demand), "time_over");
  // The clock of the tests stands shortly after midnight.
  const json::object early{{"after", "00:00"}, {"before", "06:00"}};
  const json::object late{{"after", "20:00"}, {"before", "23:00"}};
  EXPECT_EQ(Use({{"constraints", {{"time_windows", json::array{early}}}}}, demand), "accepted");
  EXPECT_EQ(Use({{"constraints", {{"time_windows", json::array{early, late}}}}}, demand),
            "outside_window");
}

// One byte changed, added or taken away, anywhere: there is no second token that means the same.
TEST_F(TokenVerifierTest, TakesNoTokenThatDiffersInAByte) {
  constexpr std::string_view kBytes = "Ab0-_.=+/ \n\"{\xff";
  for (const auto& [algorithm, name] : kTokenAlgorithms) {
    const std::string token = TokenBench::Sign(bench_.Claims(), algorithm);
    for (std::size_t at = 0; at <= token.size(); at += 3) {
      const char byte = kBytes[at % kBytes.size()];
      std::string added = token;
      added.insert(at, 1, byte);
      EXPECT_FALSE(Verify(added)) << name << ": added at " << at;
      if (at == token.size() || token[at] == byte) continue;
      std::string changed = token;
      changed[at] = byte;
      EXPECT_FALSE(Verify(changed)) << name << ": changed at " << at;
      EXPECT_FALSE(Verify(std::string(token).erase(at, 1))) << name << ": taken at " << at;
      EXPECT_FALSE(Verify(token.substr(0, at))) << name << ": cut at " << at;
    }
  }
}

TEST_F(TokenVerifierTest, ErrorsNeverRepeatAnUnverifiedToken) {
  const auto refused = Verify(TokenBench::SignTexts(
      R"({"alg":"EdDSA","typ":"JWT","kid":"EdDSA","evil-member":"evil-value"})", "{}"));
  ASSERT_FALSE(refused);
  EXPECT_FALSE(json::serialize(refused.error().ToJson()).contains("evil"));
}

}  // namespace
}  // namespace falconer::policy
