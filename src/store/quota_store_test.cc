#include "store/quota_store.h"

#include "tests/support/store_bench.h"

namespace falconer::store {
namespace {

using namespace std::chrono_literals;
using test::Finish;

class QuotaStoreTest : public test::StoreBench {
 protected:
  static QuotaRequest Request(std::uint64_t actions, std::string workflow = "w1") {
    return {.key = {TenantId("acme"), WorkflowId(std::move(workflow))},
            .defaults = {.max_concurrent_sessions = 0, .max_actions_per_minute = actions}};
  }
  static QuotaRequest SessionRequest(std::uint64_t sessions, std::string workflow) {
    return {.key = {TenantId("acme"), WorkflowId(std::move(workflow))},
            .defaults = {.max_concurrent_sessions = sessions, .max_actions_per_minute = 100}};
  }
  static QuotaAnswer Take(SqliteStore& store, const QuotaRequest& request) {
    const auto answer = Finish(store.TakeAction(request));
    EXPECT_TRUE(answer) << answer.error().message();
    return answer.value_or(QuotaAnswer());
  }
  static void TakeLease(SqliteStore& store, std::string workflow, std::string owner = "p1") {
    const LeaseRequest request{.key = {TenantId("acme"), WorkflowId(std::move(workflow))},
                               .owner = std::move(owner)};
    ASSERT_TRUE(Finish(store.AcquireLease(request)));
  }
};

TEST_F(QuotaStoreTest, CountsActionsInAWindowThatSlides) {
  const auto store = OpenStore();
  EXPECT_TRUE(Take(*store, Request(2)).ticket);
  clock_.Advance(20s);
  EXPECT_TRUE(Take(*store, Request(2)).ticket);
  clock_.Advance(10s);

  const QuotaAnswer full = Take(*store, Request(2));

  EXPECT_FALSE(full.ticket);
  EXPECT_EQ(full.actions, 2U);
  EXPECT_EQ(full.action_wait, 30s) << "until the first is a minute old";
  clock_.Advance(full.action_wait - 1ms);
  EXPECT_FALSE(Take(*store, Request(2)).ticket);
  clock_.Advance(1ms);
  EXPECT_TRUE(Take(*store, Request(2)).ticket) << "exactly when it was promised";
  EXPECT_FALSE(Take(*store, Request(2)).ticket);
}

TEST_F(QuotaStoreTest, ALowerLimitWaitsForAsManyAsAreTooMany) {
  const auto store = OpenStore();
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(Take(*store, Request(5)).ticket);
    clock_.Advance(1s);
  }
  const QuotaAnswer full = Take(*store, Request(2));
  EXPECT_EQ(full.actions, 5U);
  EXPECT_EQ(full.action_wait, 58s) << "until the fourth has left the window";
}

TEST_F(QuotaStoreTest, WhatIsGivenBackDoesNotCount) {
  const auto store = OpenStore();
  const QuotaAnswer first = Take(*store, Request(1));
  ASSERT_TRUE(first.ticket);
  EXPECT_FALSE(Take(*store, Request(1)).ticket);
  store->PostReturnAction({TenantId("other"), first.ticket->id});
  EXPECT_FALSE(Take(*store, Request(1)).ticket) << "another tenant's ticket";
  store->PostReturnAction(*first.ticket);
  const QuotaAnswer again = Take(*store, Request(1));
  EXPECT_TRUE(again.ticket);
  store->PostReturnAction(*first.ticket);
  EXPECT_FALSE(Take(*store, Request(1)).ticket) << "a ticket counts once";
}

TEST_F(QuotaStoreTest, WhatHasNoLimitIsNotCounted) {
  const auto store = OpenStore();
  for (int i = 0; i < 3; ++i) {
    const QuotaAnswer answer = Take(*store, Request(0));
    EXPECT_FALSE(answer.ticket);
    EXPECT_EQ(answer.action_wait, 0ms);
  }
  EXPECT_EQ(Finish(store->GetUse(TenantId("acme")))->actions_last_hour, 0U);
}

TEST_F(QuotaStoreTest, AClockThatWasSetBackBlocksForAMinuteAtMost) {
  const auto store = OpenStore();
  clock_.Advance(1h);
  EXPECT_TRUE(Take(*store, Request(1)).ticket);
  clock_.Advance(-1h);
  EXPECT_EQ(Take(*store, Request(1)).action_wait, 60s);
  clock_.Advance(60s);
  EXPECT_TRUE(Take(*store, Request(1)).ticket);
}

TEST_F(QuotaStoreTest, NeverAdmitsMoreActionsThanTheLimitWhoeverAsks) {
  constexpr int kThreads = 24;
  std::atomic<int> refused_with_wait = 0;
  const int admitted = Race(kThreads, [&](SqliteStore& store) {
    const QuotaAnswer answer = Take(store, Request(10));
    refused_with_wait += !answer.ticket && answer.action_wait > 0ms ? 1 : 0;
    return answer.ticket.has_value();
  });
  EXPECT_EQ(admitted, 10);
  EXPECT_EQ(refused_with_wait, kThreads - 10);
}

TEST_F(QuotaStoreTest, TheSessionsThatCameFirstStay) {
  const auto store = OpenStore();
  TakeLease(*store, "w1");
  TakeLease(*store, "w2");
  TakeLease(*store, "w3");

  EXPECT_TRUE(Take(*store, SessionRequest(2, "w1")).ticket);
  EXPECT_TRUE(Take(*store, SessionRequest(2, "w2")).ticket);
  const QuotaAnswer third = Take(*store, SessionRequest(2, "w3"));

  EXPECT_FALSE(third.ticket);
  EXPECT_EQ(third.sessions, 2U);
  EXPECT_EQ(third.owners, std::vector<std::string>{"p1"});
  EXPECT_EQ(third.session_wait, 5min) << "when their leases end";
  EXPECT_EQ(third.action_wait, 0ms);
  EXPECT_EQ(Take(*store, SessionRequest(3, "w3")).sessions, 2U);
  EXPECT_EQ(Finish(store->CountSessions()), 3U);
}

TEST_F(QuotaStoreTest, ASessionThatEndedMakesRoom) {
  const auto store = OpenStore();
  TakeLease(*store, "w1");
  clock_.Advance(4min);
  TakeLease(*store, "w2");
  EXPECT_FALSE(Take(*store, SessionRequest(1, "w2")).ticket);
  QuotaRequest knowing = SessionRequest(1, "w2");
  knowing.gone_owners = {"p1"};
  TakeLease(*store, "w3", "p2");
  EXPECT_TRUE(Take(*store, knowing).ticket) << "its owner is known to have ended";
  clock_.Advance(1min);
  EXPECT_TRUE(Take(*store, SessionRequest(1, "w2")).ticket) << "its lease has run out";
}

TEST_F(QuotaStoreTest, SessionsOfOtherTenantsAreNotInTheWay) {
  const auto store = OpenStore();
  ASSERT_TRUE(
      Finish(store->AcquireLease({.key = {TenantId("other"), WorkflowId("w1")}, .owner = "p1"})));
  TakeLease(*store, "w2");
  EXPECT_TRUE(Take(*store, SessionRequest(1, "w2")).ticket);
}

TEST_F(QuotaStoreTest, OfNewSessionsExactlyAsManyAreAdmittedAsThereIsRoomFor) {
  std::atomic<int> next = 0;
  const int admitted = Race(12, [&](SqliteStore& store) {
    const std::string workflow = "w" + std::to_string(++next);
    TakeLease(store, workflow);
    return Take(store, SessionRequest(4, workflow)).ticket.has_value();
  });
  EXPECT_EQ(admitted, 4);
}

TEST_F(QuotaStoreTest, ATenantsOwnLimitsComeBeforeTheDefaults) {
  const auto store = OpenStore();
  const TenantId acme("acme");
  ASSERT_TRUE(
      Finish(store->SetQuota({acme, {{"max_actions_per_minute", 1}, {"max_step_tokens", 0}}})));
  const model::TenantQuota defaults{.max_actions_per_minute = 7, .max_artifact_bytes = 9};

  const auto quota = Finish(store->GetQuota(acme, defaults));
  ASSERT_TRUE(quota);
  EXPECT_EQ(quota->max_actions_per_minute, 1U);
  EXPECT_EQ(quota->max_step_tokens, 0U);
  EXPECT_EQ(quota->max_artifact_bytes, 9U);
  EXPECT_EQ(Finish(store->GetQuota(TenantId("other"), defaults)), defaults);
  EXPECT_TRUE(Take(*store, Request(100)).ticket);
  EXPECT_FALSE(Take(*store, Request(100)).ticket);
  EXPECT_EQ(Finish(store->ListQuotas()), std::vector<TenantId>{acme});

  ASSERT_TRUE(Finish(store->SetQuota({acme, {{"max_actions_per_minute", std::nullopt}}})));
  EXPECT_TRUE(Take(*store, Request(100)).ticket);
}

TEST_F(QuotaStoreTest, RefusesLimitsThatAreNoneAndKeepsNothingOfThem) {
  const auto store = OpenStore();
  const TenantId acme("acme");
  EXPECT_FALSE(Finish(store->SetQuota({acme, {{"max_step_tokens", 5}, {"max_wishes", 3}}})));
  EXPECT_FALSE(Finish(store->SetQuota({acme, {{"max_step_tokens", ~0ULL}}})));
  EXPECT_FALSE(Finish(store->SetQuota({TenantId(), {{"max_step_tokens", 5}}})));
  EXPECT_EQ(Finish(store->GetQuota(acme, {})), model::TenantQuota());
}

TEST_F(QuotaStoreTest, ForgetsActionsAfterAnHour) {
  const auto store = OpenStore();
  const TenantId acme("acme");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Take(*store, Request(50)).ticket);
  clock_.Advance(59min);
  EXPECT_TRUE(Take(*store, Request(50)).ticket);
  const auto use = Finish(store->GetUse(acme));
  EXPECT_EQ(use->actions_last_minute, 1U);
  EXPECT_EQ(use->actions_last_hour, 4U);
  EXPECT_EQ(use->oldest_leaves, 60s);
  clock_.Advance(2min);
  EXPECT_EQ(Finish(store->GetUse(acme))->oldest_leaves, 0ms);
  EXPECT_TRUE(Take(*store, Request(50)).ticket);
  // Seen from the past: what was forgotten is gone, not only out of the window.
  clock_.Advance(-30min);
  EXPECT_EQ(Finish(store->GetUse(acme))->actions_last_hour, 2U);
}

}  // namespace
}  // namespace falconer::store
