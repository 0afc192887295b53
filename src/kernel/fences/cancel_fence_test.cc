#include "kernel/fences/cancel_fence.h"

#include <thread>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;
using model::CancelScope;

const FenceKey kSession{CancelScope::kSession, "s"};
const FenceKey kTurn{CancelScope::kTurn, "t"};
const FenceKey kNode{CancelScope::kNode, "n"};
const FenceKey kCall{CancelScope::kProviderInvocation, "c"};

class CancelFenceTest : public testing::Test {
 protected:
  CancelFenceTest() {
    session_ = *fence_.Open(kSession, std::nullopt);
    turn_ = *fence_.Open(kTurn, kSession);
    node_ = *fence_.Open(kNode, kTurn);
    call_ = *fence_.Open(kCall, kNode);
  }
  FakeClock clock_;
  CancelFence fence_{clock_, {.keep_ended = 1min, .max_ended = 4, .max_open = 64}};
  FenceTicket session_, turn_, node_, call_;
};

TEST_F(CancelFenceTest, AFenceIsAroundEverythingInsideAndNothingOutside) {
  const std::pair<FenceKey, int> cases[] = {{kCall, 3}, {kNode, 2}, {kTurn, 1}, {kSession, 0}};
  for (const auto& [key, first_fenced] : cases) {
    ASSERT_TRUE(fence_.Accept(key, "user"));
    const FenceTicket* tickets[] = {&session_, &turn_, &node_, &call_};
    for (int i = 0; i < 4; ++i) EXPECT_EQ(tickets[i]->MayLeave(), i < first_fenced) << key.id << i;
  }
}

TEST_F(CancelFenceTest, WhatOpensInsideAFenceIsFencedFromTheStart) {
  ASSERT_TRUE(fence_.Accept(kTurn, "user"));
  const auto late = fence_.Open({CancelScope::kNode, "late"}, kTurn);

  ASSERT_TRUE(late);
  EXPECT_FALSE(late->MayLeave());
  EXPECT_TRUE(session_.MayLeave());
}

TEST_F(CancelFenceTest, TheRefusalSaysWhy) {
  ASSERT_TRUE(fence_.Accept(kTurn, "user asked"));
  ASSERT_TRUE(fence_.Accept(kTurn, "too late"));

  const auto refused = node_.Check();

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(refused.error().details().at("cause"), "cancel_fence_applied");
  EXPECT_EQ(refused.error().details().at("reason"), "user asked") << "the first reason counts";
}

TEST_F(CancelFenceTest, MeasuresFromAcceptanceToTheLastWriteThatLeftAndThatDidNot) {
  EXPECT_TRUE(turn_.MayLeave());
  turn_.DidLeave();
  EXPECT_TRUE(turn_.MayLeave());
  clock_.Advance(1s);
  ASSERT_TRUE(fence_.Accept(kTurn, "user"));
  clock_.Advance(3ms);
  turn_.DidLeave();  // was under way
  clock_.Advance(2ms);
  EXPECT_FALSE(turn_.MayLeave());
  clock_.Advance(4ms);
  EXPECT_FALSE(turn_.MayLeave());

  const auto report = fence_.ReportOf(kTurn);

  ASSERT_TRUE(report);
  EXPECT_EQ(report->left, 1U);
  EXPECT_EQ(report->last_left, Duration(3ms));
  EXPECT_EQ(report->refused, 2U);
  EXPECT_EQ(report->last_refused, Duration(9ms));
  EXPECT_FALSE(fence_.ReportOf(kSession)) << "the session was not cancelled";
}

TEST_F(CancelFenceTest, AnEndedScopeLetsNothingLeaveAndIsForgottenInTime) {
  ASSERT_TRUE(fence_.Accept(kNode, "user"));
  fence_.End(kTurn);

  EXPECT_FALSE(turn_.MayLeave());
  EXPECT_FALSE(call_.MayLeave());
  EXPECT_TRUE(session_.MayLeave());
  EXPECT_EQ(fence_.open_scopes(), 1U);
  EXPECT_TRUE(fence_.ReportOf(kNode));
  EXPECT_FALSE(fence_.ReportOf(kTurn)) << "ended without a cancel";

  clock_.Advance(1min);
  ASSERT_TRUE(fence_.Open(kTurn, kSession));
  EXPECT_FALSE(fence_.ReportOf(kNode));
  EXPECT_EQ(fence_.remembered(), 0U);
  EXPECT_FALSE(call_.MayLeave()) << "a forgotten scope's ticket still says no";
}

TEST_F(CancelFenceTest, RemembersNoMoreThanItMay) {
  for (int i = 0; i < 20; ++i) {
    const FenceKey key{CancelScope::kNode, "x" + std::to_string(i)};
    ASSERT_TRUE(fence_.Open(key, kTurn));
    ASSERT_TRUE(fence_.Accept(key, "user"));
    fence_.End(key);
  }
  EXPECT_EQ(fence_.remembered(), 4U);
  EXPECT_EQ(fence_.open_scopes(), 4U);
}

TEST_F(CancelFenceTest, RefusesScopesThatDoNotNest) {
  EXPECT_EQ(fence_.Open(kTurn, kSession).error().code(), ErrorCode::kAlreadyExists);
  EXPECT_EQ(
      fence_.Open({CancelScope::kNode, "x"}, FenceKey{CancelScope::kTurn, "?"}).error().code(),
      ErrorCode::kNotFound);
  EXPECT_EQ(fence_.Open({CancelScope::kTurn, "x"}, kTurn).error().code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(fence_.Accept({CancelScope::kTurn, "?"}, "r").error().code(), ErrorCode::kNotFound);
  EXPECT_FALSE(FenceTicket().MayLeave());
}

TEST_F(CancelFenceTest, NothingLeavesAfterAcceptanceWhoeverAsks) {
  std::atomic<bool> is_accepted = false;
  std::atomic<int> leaked = 0;
  std::atomic<std::uint64_t> asked = 0;
  std::jthread writer([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const bool was_accepted = is_accepted.load();
      if (call_.MayLeave() && was_accepted) ++leaked;
      ++asked;
    }
  });
  while (asked < 1000) std::this_thread::yield();
  ASSERT_TRUE(fence_.Accept(kSession, "user"));
  is_accepted = true;
  const std::uint64_t before = asked;
  while (asked < before + 1000) std::this_thread::yield();
  writer.request_stop();
  writer.join();
  EXPECT_EQ(leaked, 0);
}

}  // namespace
}  // namespace falconer::kernel
