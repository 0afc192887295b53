#include "policy/tokens/token_guard.h"

#include <map>
#include <set>

#include "policy/tokens/token_issuer.h"
#include "tests/support/co_test.h"
#include "tests/support/token_bench.h"

namespace falconer::policy {
namespace {

using namespace std::chrono_literals;
using model::Capability;
using test::ReasonOf;
using test::TokenBench;

// Records that a test can read and write.
class PlainRecords final : public TokenRecords {
 public:
  Task<Result<model::TokenStanding>> StandingOf(model::TokenName token) override {
    asked.push_back(token);
    if (failure) co_return Fail(*failure);
    co_return standing;
  }
  Task<Result<model::UseOutcome>> Consume(model::TokenUse use) override {
    const auto [at, is_new] = uses.emplace(std::pair(use.token_id, use.slot), use.use);
    if (is_new) co_return model::UseOutcome::kFirst;
    co_return at->second == use.use ? model::UseOutcome::kSame : model::UseOutcome::kReplayed;
  }

  model::TokenStanding standing;
  std::optional<Error> failure;
  std::vector<model::TokenName> asked;
  std::map<std::pair<std::string, std::string>, std::string> uses;
};

class TokenGuardTest : public testing::Test {
 protected:
  Result<VerifiedToken> AdmitToken(const std::string& token, TokenDemand demand) {
    const TokenVerifier verifier(bench_.rules, bench_.keys, bench_.clock);
    TokenGuard guard(verifier, records_);
    std::optional<Result<VerifiedToken>> out;
    test::RunCo(io_, Keep(guard.Admit(token, std::move(demand)), &out));
    return *std::move(out);
  }
  std::string Admit(TokenDemand demand, const json::object& changes = {}) {
    return ReasonOf(AdmitToken(TokenBench::Sign(bench_.ClaimsWith(changes)), std::move(demand)));
  }
  static Task<void> Keep(Task<Result<VerifiedToken>> task,
                         std::optional<Result<VerifiedToken>>* out) {
    out->emplace(co_await std::move(task));
  }

  TokenBench bench_;
  PlainRecords records_;
  boost::asio::io_context io_;
};

TEST_F(TokenGuardTest, WhatMayBeUsedOnceIsUsedOnce) {
  const model::CapabilitySet purchase{Capability::kPurchase};
  EXPECT_EQ(Admit({.capabilities = purchase, .use = "act_1"}), "accepted");
  EXPECT_EQ(Admit({.capabilities = purchase, .use = "act_1"}), "accepted") << "the same contract";
  const auto again =
      AdmitToken(TokenBench::Sign(bench_.Claims()), {.capabilities = purchase, .use = "act_2"});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::kTokenReplayed);
  EXPECT_EQ(ReasonOf(again), "replayed");
  EXPECT_EQ(Admit({.capabilities = {Capability::kRead}, .use = "act_3"}), "accepted")
      << "reading is not used up";
  EXPECT_EQ(Admit({.capabilities = purchase, .use = "act_2"}, {{"jti", "token-2"}}), "accepted");
}

TEST_F(TokenGuardTest, WithoutANameEveryUseIsAnother) {
  EXPECT_EQ(Admit({.capabilities = {Capability::kPurchase}}), "accepted");
  EXPECT_EQ(Admit({.capabilities = {Capability::kPurchase}}), "replayed");
}

TEST_F(TokenGuardTest, AWholeTokenMayBeSingleUse) {
  bench_.rules.replay = ReplayRule::kWholeToken;
  EXPECT_EQ(Admit({.capabilities = {Capability::kRead}, .use = "act_1"}), "accepted");
  EXPECT_EQ(Admit({.capabilities = {Capability::kRead}, .use = "act_2"}), "replayed");
}

TEST_F(TokenGuardTest, WhatIsRefusedUsesNothingUp) {
  const json::object limits{{"constraints", {{"max_purchase", 10}}}};
  EXPECT_EQ(Admit({.capabilities = {Capability::kPurchase},
                   .amount = model::Money{200'000, "USD"},
                   .use = "act_1"},
                  limits),
            "amount_over");
  EXPECT_TRUE(records_.uses.empty());
}

TEST_F(TokenGuardTest, RefusesWhatWasRevokedByItsOwnReason) {
  const std::pair<model::Revocation, std::string_view> cases[] = {
      {model::Revocation::kToken, "revoked"},
      {model::Revocation::kAgent, "agent_revoked"},
      {model::Revocation::kAll, "all_revoked"}};
  for (const auto& [revoked, reason] : cases) {
    records_.standing = {.revoked = revoked, .reason = "stolen"};
    const auto result =
        AdmitToken(TokenBench::Sign(bench_.Claims()), {.capabilities = {Capability::kRead}});
    EXPECT_EQ(ReasonOf(result), reason);
    EXPECT_EQ(result.error().code(), ErrorCode::kTokenRevoked);
    EXPECT_TRUE(result.error().message().contains("stolen"));
  }
  EXPECT_EQ(Admit({.capabilities = {Capability::kDelete}}), "all_revoked")
      << "revocation comes before capability";
}

TEST_F(TokenGuardTest, AsksTheRecordsOnlyAboutTokensThatAreRight) {
  EXPECT_EQ(Admit({.capabilities = {Capability::kRead}}, {{"iss", "somebody"}}), "wrong_issuer");
  EXPECT_TRUE(records_.asked.empty());
  EXPECT_EQ(Admit({.capabilities = {Capability::kRead}}, {{"tenant", "acme"}}), "accepted");
  ASSERT_EQ(records_.asked.size(), 1U);
  EXPECT_EQ(records_.asked[0].tenant, TenantId("acme"));
  EXPECT_EQ(records_.asked[0].agent, AgentId("shopper"));
  EXPECT_EQ(ToTokenTime(records_.asked[0].earliest_issue), bench_.Now() - 30);
}

TEST_F(TokenGuardTest, AllowsNothingWhileTheRecordsCannotBeRead) {
  records_.failure = Error(ErrorCode::kIoError, "the disk is gone");
  const auto result =
      AdmitToken(TokenBench::Sign(bench_.Claims()), {.capabilities = {Capability::kRead}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::kIoError);
}

class TokenIssuerTest : public testing::Test {
 protected:
  Result<MadeToken> Issue(const TokenRequest& request, const TokenGrant& grant) const {
    return TokenIssuer(bench_.rules, "RS256", test::KeyOf(TokenAlgorithm::kRs256), bench_.clock)
        .Issue(request, grant);
  }
  static TokenConstraints Limits(std::string_view text) {
    return ParseTokenConstraints(ParseJson(text).value()).value();
  }

  TokenBench bench_;
};

TEST_F(TokenIssuerTest, MakesTokensThatTheVerifierTakes) {
  const model::CapabilitySet all{Capability::kRead, Capability::kWrite};
  const auto made =
      Issue({.agent = AgentId("shopper"),
             .tenant = TenantId("acme"),
             .plan = PlanId("plan-1"),
             .capabilities = all,
             .constraints = Limits(R"({"domains":["*.example.com","x.test"]})")},
            {.capabilities = all, .constraints = Limits(R"({"domains":["a.example.com"]})")});
  ASSERT_TRUE(made) << Describe(made.error());
  const auto token = TokenVerifier(bench_.rules, bench_.keys, bench_.clock).Verify(made->token);
  ASSERT_TRUE(token) << Describe(token.error());
  EXPECT_EQ(token->claims.capabilities, all);
  EXPECT_EQ(token->claims.expires - token->claims.issued, 300s);
  ASSERT_EQ(token->claims.constraints.domains->size(), 1U);
  EXPECT_EQ(token->claims.constraints.domains->front().text(), "a.example.com");
  EXPECT_TRUE(made->denied.empty());
  EXPECT_EQ(token->claims.token_id.size(), 32U);
}

TEST_F(TokenIssuerTest, SaysWhatItDidNotGrantAndWhy) {
  bench_.rules.proof = ProofRule::kAsked;
  const auto made =
      Issue({.agent = AgentId("a"),
             .capabilities = {Capability::kRead, Capability::kWrite, Capability::kAdmin}},
            {.capabilities = {Capability::kRead, Capability::kWrite}});
  ASSERT_TRUE(made) << Describe(made.error());
  EXPECT_EQ(made->claims.capabilities, model::CapabilitySet{Capability::kRead});
  ASSERT_EQ(made->denied.size(), 2U);
  EXPECT_EQ(made->denied[0].capability, Capability::kWrite);
  EXPECT_EQ(made->denied[0].reason, "proof_too_weak");
  EXPECT_EQ(made->denied[1].capability, Capability::kAdmin);
  EXPECT_EQ(made->denied[1].reason, "not_granted");
}

TEST_F(TokenIssuerTest, RefusesRequestsThatMakeNoSense) {
  const TokenGrant grant{.capabilities = {Capability::kRead, Capability::kPurchase}};
  const model::CapabilitySet read{Capability::kRead};
  EXPECT_FALSE(Issue({.agent = AgentId(""), .capabilities = read}, grant));
  EXPECT_FALSE(Issue({.agent = AgentId("a")}, grant));
  EXPECT_FALSE(Issue({.agent = AgentId("a\x01"), .capabilities = read}, grant));
  EXPECT_FALSE(Issue({.agent = AgentId(std::string(300, 'a')), .capabilities = read}, grant));
  EXPECT_FALSE(Issue({.agent = AgentId("a"), .capabilities = read, .lifetime = 3601s}, grant));
  EXPECT_FALSE(Issue({.agent = AgentId("a"), .capabilities = read, .lifetime = 0s}, grant));
  EXPECT_TRUE(Issue({.agent = AgentId("a"), .capabilities = read, .lifetime = 3600s}, grant));
  const auto nothing = Issue({.agent = AgentId("a"), .capabilities = {Capability::kDelete}}, grant);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code(), ErrorCode::kCapabilityMissing);
}

TEST_F(TokenIssuerTest, NoTwoTokensHaveTheSameId) {
  std::set<std::string> ids;
  const model::CapabilitySet read{Capability::kRead};
  for (int i = 0; i < 50; ++i) {
    ids.insert(Issue({.agent = AgentId("a"), .capabilities = read}, {.capabilities = read})
                   ->claims.token_id);
  }
  EXPECT_EQ(ids.size(), 50U);
}

}  // namespace
}  // namespace falconer::policy
