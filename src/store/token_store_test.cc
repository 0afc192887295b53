#include "store/token_store.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/store_bench.h"

namespace falconer::store {
namespace {

using namespace std::chrono_literals;
using model::Revocation;
using model::UseOutcome;

class TokenStoreTest : public test::StoreBench {
 protected:
  template <typename T>
  static T Run(Task<T> task) {
    return test::Finish(std::move(task));
  }

  model::IssuedToken Issued(std::string id, std::string agent = "shopper") const {
    return {.token_id = std::move(id),
            .tenant = TenantId("acme"),
            .agent = AgentId(std::move(agent)),
            .plan = PlanId("plan-1"),
            .key_name = "k1",
            .capabilities = {model::Capability::kRead, model::Capability::kAdmin},
            .issued = clock_.WallNow(),
            .expires = clock_.WallNow() + 5min};
  }
  model::TokenName Name(std::string id, std::string agent = "shopper") const {
    return {.token_id = std::move(id),
            .tenant = TenantId("acme"),
            .agent = AgentId(std::move(agent)),
            .earliest_issue = clock_.WallNow() - 30s};
  }
  model::TokenUse Use(std::string id, std::string use) const {
    return {std::move(id), "PURCHASE", std::move(use), clock_.WallNow() + 1min};
  }
  Revocation StandingOf(SqliteStore& store, const model::TokenName& name) {
    const auto standing = Run(store.FindStanding(name));
    EXPECT_TRUE(standing) << standing.error().message();
    return standing->revoked;
  }
};

TEST_F(TokenStoreTest, ListsWhatWasIssuedNewestFirst) {
  const auto store = OpenStore();
  const model::IssuedToken first = Issued("t1");
  ASSERT_TRUE(Run(store->NoteIssued(first)));
  clock_.Advance(1s);
  ASSERT_TRUE(Run(store->NoteIssued(Issued("t2", "other"))));
  EXPECT_EQ(Run(store->NoteIssued(first)).error().code(), ErrorCode::kAlreadyExists);

  const auto all = Run(store->ListIssued({}));

  ASSERT_TRUE(all) << all.error().message();
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->at(0).token.token_id, "t2");
  EXPECT_EQ(all->at(1).token, first);
  EXPECT_EQ(Run(store->ListIssued({.agent = AgentId("other")}))->size(), 1U);
  EXPECT_EQ(Run(store->ListIssued({.tenant = TenantId("nobody")}))->size(), 0U);
  EXPECT_EQ(Run(store->ListIssued({.limit = 1}))->size(), 1U);
}

TEST_F(TokenStoreTest, ATokenIsUsedOnceAlsoAfterReopening) {
  {
    const auto store = OpenStore();
    EXPECT_EQ(Run(store->UseToken(Use("t1", "act_1"))), UseOutcome::kFirst);
    EXPECT_EQ(Run(store->UseToken(Use("t1", "act_1"))), UseOutcome::kSame);
  }
  const auto store = OpenStore();
  EXPECT_EQ(Run(store->UseToken(Use("t1", "act_2"))), UseOutcome::kReplayed);
  EXPECT_EQ(Run(store->UseToken(Use("t2", "act_2"))), UseOutcome::kFirst);
  model::TokenUse other = Use("t1", "act_2");
  other.slot = "DELETE";
  EXPECT_EQ(Run(store->UseToken(other)), UseOutcome::kFirst) << "another slot";
}

TEST_F(TokenStoreTest, RevokesOneTokenKnownOrNot) {
  const auto store = OpenStore();
  ASSERT_TRUE(Run(store->NoteIssued(Issued("t1"))));
  EXPECT_EQ(Run(store->RevokeToken({"t1", "stolen"})), true);
  ASSERT_TRUE(Run(store->RevokeToken({"t1", "again"})));
  EXPECT_EQ(Run(store->RevokeToken({"stranger", ""})), false) << "it was not issued here";
  EXPECT_FALSE(Run(store->RevokeToken({"", ""})));

  const auto standing = Run(store->FindStanding(Name("t1")));

  ASSERT_TRUE(standing);
  EXPECT_EQ(standing->revoked, Revocation::kToken);
  EXPECT_EQ(standing->reason, "stolen") << "the first reason stays";
  EXPECT_EQ(StandingOf(*store, Name("stranger")), Revocation::kToken);
  EXPECT_EQ(StandingOf(*store, Name("t2")), Revocation::kNone);
}

TEST_F(TokenStoreTest, RevokesTheTokensOfAnAgentAndNotThoseIssuedLater) {
  const auto store = OpenStore();
  ASSERT_TRUE(Run(store->NoteIssued(Issued("t1"))));
  ASSERT_TRUE(Run(store->NoteIssued(Issued("t2"))));
  ASSERT_TRUE(Run(store->NoteIssued(Issued("t3", "other"))));
  clock_.Advance(1s);

  const auto hit = Run(store->RevokeIssued({TenantId("acme"), AgentId("shopper"), "fired"}));

  EXPECT_EQ(hit, 2U);
  clock_.Advance(1ms);
  ASSERT_TRUE(Run(store->NoteIssued(Issued("t4"))));
  EXPECT_EQ(StandingOf(*store, Name("t1")), Revocation::kAgent);
  EXPECT_EQ(StandingOf(*store, Name("t3", "other")), Revocation::kNone);
  EXPECT_EQ(StandingOf(*store, Name("t4")), Revocation::kNone);
  model::TokenName elsewhere = Name("t9");
  elsewhere.tenant = TenantId("other");
  EXPECT_EQ(StandingOf(*store, elsewhere), Revocation::kNone) << "the same name, another tenant";
}

TEST_F(TokenStoreTest, TokensOfOtherIssuersAreJudgedByTheEarliestMomentTheyMayBeOf) {
  const auto store = OpenStore();
  ASSERT_TRUE(Run(store->RevokeIssued({TenantId("acme"), AgentId("shopper"), ""})));
  clock_.Advance(29s);
  EXPECT_EQ(StandingOf(*store, Name("t1")), Revocation::kAgent) << "a clock may be 30 s fast";
  clock_.Advance(2s);
  EXPECT_EQ(StandingOf(*store, Name("t1")), Revocation::kNone);
}

TEST_F(TokenStoreTest, RevokesAllOfATenantOrOfEverybody) {
  const auto store = OpenStore();
  ASSERT_TRUE(Run(store->NoteIssued(Issued("t1"))));
  model::TokenName elsewhere = Name("t2");
  elsewhere.tenant = TenantId("other");

  EXPECT_EQ(Run(store->RevokeIssued({TenantId("acme"), AgentId(), "incident"})), 1U);
  EXPECT_EQ(StandingOf(*store, Name("t1")), Revocation::kAll);
  EXPECT_EQ(StandingOf(*store, elsewhere), Revocation::kNone);
  EXPECT_EQ(Run(store->RevokeIssued({TenantId(), AgentId(), "incident"})), 0U) << "revoked already";
  EXPECT_EQ(StandingOf(*store, elsewhere), Revocation::kAll);
  EXPECT_EQ(Run(store->ListIssued({}))->at(0).standing.revoked, Revocation::kAll);
}

TEST_F(TokenStoreTest, ForgetsWhatIsNoLongerInForceButNotBefore) {
  const auto store = OpenStore();
  ASSERT_TRUE(Run(store->NoteIssued(Issued("t1"))));
  ASSERT_TRUE(Run(store->RevokeToken({"t1", ""})));
  EXPECT_EQ(Run(store->UseToken(Use("t1", "act_1"))), UseOutcome::kFirst);
  clock_.Advance(1h);
  ASSERT_TRUE(Run(store->RevokeToken({"x1", ""})));
  EXPECT_EQ(Run(store->UseToken(Use("t1", "act_2"))), UseOutcome::kReplayed);
  EXPECT_EQ(StandingOf(*store, Name("t1")), Revocation::kToken);
  clock_.Advance(24h * 8);
  ASSERT_TRUE(Run(store->RevokeToken({"x2", ""})));
  EXPECT_EQ(StandingOf(*store, Name("t1")), Revocation::kNone);
  EXPECT_TRUE(Run(store->ListIssued({}))->empty());
}

TEST_F(TokenStoreTest, OneProcessSeesWhatAnotherRevoked) {
  const auto store = OpenStore();
  EXPECT_EQ(StandingOf(*store, Name("t1")), Revocation::kNone);
  const auto other = OpenStore();
  ASSERT_TRUE(Run(other->RevokeToken({"t1", ""})));
  EXPECT_EQ(StandingOf(*store, Name("t1")), Revocation::kToken);
}

// Each tries to use the same tokens; the number of those it was first with is what it ends with.
[[noreturn]] void UseTokens(const std::filesystem::path& file, const std::string& name, int count) {
  SystemClock clock;
  boost::asio::io_context io;
  auto store = SqliteStore::Open(file, clock);
  int first = 0;
  for (int i = 0; store && i < count; ++i) {
    std::optional<Result<UseOutcome>> out;
    model::TokenUse use{"t" + std::to_string(i), "PURCHASE", name, clock.WallNow() + 1min};
    boost::asio::co_spawn(
        io, store.value()->UseToken(std::move(use)),
        [&](std::exception_ptr, Result<UseOutcome> outcome) { out = std::move(outcome); });
    io.restart();
    io.run();
    first += out && *out == UseOutcome::kFirst ? 1 : 0;
  }
  store = Fail(ErrorCode::kCancelled, "");
  ::_exit(first);
}

TEST_F(TokenStoreTest, OfTwoProcessesOnlyOneUsesATokenFirst) {
  constexpr int kTokens = 40;
  for (const char* name : {"one", "two"}) {
    if (::fork() == 0) UseTokens(file(), name, kTokens);
  }
  int first = 0;
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    ASSERT_TRUE(WIFEXITED(status));
    first += WEXITSTATUS(status);
  }
  EXPECT_EQ(first, kTokens);
}

}  // namespace
}  // namespace falconer::store
