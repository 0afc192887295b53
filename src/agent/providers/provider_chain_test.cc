// Who is asked next, and when nobody is.
#include "agent/providers/provider_chain.h"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "agent/providers/failed_bill.h"
#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/scripted_provider.h"

namespace falconer::agent {
namespace {

using std::chrono::milliseconds;
using test::ScriptedProvider;

// Two providers whose waits are short.
struct TwoProviders {
  explicit TwoProviders(const CallContext& ctx, ChainLimits limits = Quick())
      : chain(ctx.clock(), Own(), limits) {}

  static ChainLimits Quick() {
    return {.retry = {.backoff = milliseconds(1), .max_backoff = milliseconds(5)},
            .breaker = {.threshold = 100}};
  }
  std::vector<std::unique_ptr<Provider>> Own() {
    std::vector<std::unique_ptr<Provider>> out;
    for (ScriptedProvider** one : {&first, &second}) {
      auto made = std::make_unique<ScriptedProvider>(out.empty() ? "first" : "second");
      *one = made.get();
      out.push_back(std::move(made));
    }
    return out;
  }
  // "first:timeout:retry second:success:none"
  static std::string Story(const std::vector<ProviderAttempt>& attempts) {
    std::string out;
    for (const ProviderAttempt& one : attempts) {
      out += (out.empty() ? "" : " ") + one.provider + ":" + one.outcome + ":" +
             std::string(NameIn(kRetryDecisions, one.decision));
    }
    return out;
  }

  ScriptedProvider* first = nullptr;
  ScriptedProvider* second = nullptr;
  ProviderChain chain;
};

Error Broken(ProviderFault fault) {
  return ProviderFailure(fault, "x");
}

CO_TEST(ProviderChainTest, AsksTheFirstAndNobodyElse) {
  TwoProviders two(ctx);
  two.first->ThenSay("hello");

  const auto answer = co_await two.chain.Ask(ctx, {.system = "s"}, {});

  EXPECT_TRUE(answer);
  if (answer) EXPECT_EQ(answer->provider, "first");
  if (answer) EXPECT_EQ(TwoProviders::Story(answer->attempts), "first:success:none");
  EXPECT_EQ(two.first->asked().at(0).system, "s");
  EXPECT_TRUE(two.second->asked().empty());
}

CO_TEST(ProviderChainTest, RetriesOnceThenRotates) {
  for (const ProviderFault fault :
       {ProviderFault::kTimeout, ProviderFault::kOverload, ProviderFault::kInfrastructure,
        ProviderFault::kInvalidAnswer}) {
    TwoProviders two(ctx);
    two.first->Then(Fail(Broken(fault)));
    two.first->Then(Fail(Broken(fault)));
    two.second->ThenSay("hello");

    const auto answer = co_await two.chain.Ask(ctx, {}, {});

    const std::string name(NameIn(kProviderFaults, fault));
    EXPECT_TRUE(answer) << name;
    if (!answer) continue;
    EXPECT_EQ(TwoProviders::Story(answer->attempts),
              "first:" + name + ":retry first:" + name + ":provider_switch second:success:none");
    EXPECT_GE(answer->attempts[1].backoff, milliseconds(1)) << name;
  }
}

CO_TEST(ProviderChainTest, TheSecondTryMayAnswer) {
  TwoProviders two(ctx);
  two.first->Then(Fail(Broken(ProviderFault::kOverload)));
  two.first->ThenSay("hello");
  std::string told;

  const auto answer = co_await two.chain.Ask(ctx, {}, [&](const ChatDelta& delta) {
    if (const auto* text = std::get_if<TextDelta>(&delta)) told += text->text;
    if (const auto* again = std::get_if<RestartDelta>(&delta)) told += "[" + again->provider + "]";
  });

  EXPECT_TRUE(answer);
  EXPECT_EQ(told, "[first]hello");
}

CO_TEST(ProviderChainTest, RotatesAtOnceFromWhoBlocksUs) {
  TwoProviders two(ctx);
  two.first->Then(
      Fail(ProviderFailure(ProviderFault::kBlocked, "the provider answered 401", "key_refused")));
  two.second->ThenSay("hello");

  const auto answer = co_await two.chain.Ask(ctx, {}, {});

  EXPECT_TRUE(answer);
  if (answer)
    EXPECT_EQ(TwoProviders::Story(answer->attempts),
              "first:blocked:provider_switch second:success:none");
}

CO_TEST(ProviderChainTest, StopsAtARefusal) {
  TwoProviders two(ctx);
  two.first->Then(Fail(ProviderFailure(ProviderFault::kBlocked, "no", kContentRefused)));
  two.second->ThenSay("gladly");

  const auto answer = co_await two.chain.Ask(ctx, {}, {});

  EXPECT_FALSE(answer);
  if (!answer) EXPECT_TRUE(IsContentRefusal(answer.error()));
  EXPECT_TRUE(two.second->asked().empty());
}

CO_TEST(ProviderChainTest, StopsWhenItIsCalledOff) {
  TwoProviders two(ctx);
  CancelSource off;
  two.first->OnAsk([&] { off.Cancel(Error(ErrorCode::kRuntimePaused, "an operator said so")); });

  const auto answer = co_await two.chain.Ask(ctx.WithCancel(off.token()), {}, {});

  EXPECT_FALSE(answer);
  if (!answer) EXPECT_EQ(answer.error().code(), ErrorCode::kRuntimePaused);
  EXPECT_EQ(two.first->asked().size(), 1U);
  EXPECT_TRUE(two.second->asked().empty());
}

CO_TEST(ProviderChainTest, IsCalledOffWhileItWaits) {
  TwoProviders two(
      ctx, {.retry = {.backoff = std::chrono::minutes(1), .max_backoff = std::chrono::minutes(2)}});
  CancelSource off;
  two.first->Then(Fail(Broken(ProviderFault::kOverload)));
  // By the time the loop comes to it, the chain waits.
  two.first->OnAsk([&, io] {
    boost::asio::post(*io, [&] { off.Cancel(Error(ErrorCode::kCancelled, "off")); });
  });

  const auto answer = co_await two.chain.Ask(ctx.WithCancel(off.token()), {}, {});

  EXPECT_FALSE(answer);
  if (!answer) EXPECT_EQ(answer.error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(two.first->asked().size(), 1U);
  EXPECT_TRUE(two.second->asked().empty());
}

CO_TEST(ProviderChainTest, SaysAllThatWasTried) {
  TwoProviders two(ctx);
  two.first->Then(Fail(ProviderFailure(ProviderFault::kBlocked, "no key", "key_refused")));

  const auto answer = co_await two.chain.Ask(ctx, {}, {});

  EXPECT_FALSE(answer);
  if (answer) co_return;
  EXPECT_EQ(answer.error().code(), ErrorCode::kProviderError);
  EXPECT_EQ(answer.error().details().at("attempts").as_array().size(), 3U);
}

CO_TEST(ProviderChainTest, PassesOverWhoCannot) {
  TwoProviders two(ctx);
  two.first->Lacks(Error(ErrorCode::kUnsupported, "first sees no pictures"));
  two.second->ThenSay("a cat");

  const auto answer = co_await two.chain.Ask(ctx, {}, {});
  two.second->Lacks(Error(ErrorCode::kUnsupported, "second sees no pictures"));
  const auto nobody = co_await two.chain.Ask(ctx, {}, {});

  EXPECT_TRUE(answer);
  EXPECT_TRUE(two.first->asked().empty());
  EXPECT_FALSE(nobody);
  if (!nobody) EXPECT_EQ(nobody.error().code(), ErrorCode::kUnsupported);
}

CO_TEST(ProviderChainTest, SaysThatThereIsNobody) {
  ProviderChain chain(ctx.clock(), {});

  const auto answer = co_await chain.Ask(ctx, {}, {});

  EXPECT_TRUE(chain.empty());
  EXPECT_FALSE(answer);
  if (!answer) EXPECT_EQ(answer.error().code(), ErrorCode::kToolUnavailable);
}

CO_TEST(ProviderChainTest, LeavesAloneWhoKeepsFailing) {
  ChainLimits limits = TwoProviders::Quick();
  limits.breaker = {.threshold = 2, .open_for = std::chrono::hours(1)};
  TwoProviders two(ctx, limits);
  two.first->Then(Fail(Broken(ProviderFault::kInfrastructure)));
  two.first->Then(Fail(Broken(ProviderFault::kInfrastructure)));
  two.second->ThenSay("one");
  two.second->ThenSay("two");

  const auto before = co_await two.chain.Ask(ctx, {}, {});
  const auto after = co_await two.chain.Ask(ctx, {}, {});

  EXPECT_TRUE(before && after);
  EXPECT_EQ(two.first->asked().size(), 2U);
  if (after) EXPECT_EQ(TwoProviders::Story(after->attempts), "second:success:none");
}

TEST(ProviderBreakerTest, LetsOneTryAfterAWhile) {
  FakeClock clock;
  ProviderBreaker breaker(clock, {.threshold = 2, .open_for = std::chrono::seconds(30)});
  breaker.NoteDown();
  EXPECT_TRUE(breaker.Enter());
  breaker.NoteDown();

  const auto open = breaker.Enter();
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code(), ErrorCode::kCircuitOpen);
  EXPECT_EQ(RetryAfterOf(open.error()), milliseconds(30'000));

  clock.Advance(std::chrono::seconds(30));
  EXPECT_TRUE(breaker.Enter()) << "the probe";
  const auto other = breaker.Enter();
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::kCircuitHalfOpen);

  breaker.NoteDown();
  breaker.EndProbe();
  EXPECT_FALSE(breaker.Enter()) << "the probe failed";
  clock.Advance(std::chrono::seconds(30));
  EXPECT_TRUE(breaker.Enter());
  breaker.NoteUp();
  breaker.EndProbe();
  EXPECT_TRUE(breaker.Enter());
  EXPECT_TRUE(breaker.Enter()) << "closed again";
}

TEST(ProviderBreakerTest, AProbeThatWasCalledOffIsGivenBack) {
  FakeClock clock;
  ProviderBreaker breaker(clock, {.threshold = 1, .open_for = std::chrono::seconds(1)});
  breaker.NoteDown();
  clock.Advance(std::chrono::seconds(1));
  EXPECT_TRUE(breaker.Enter());

  breaker.EndProbe();

  EXPECT_TRUE(breaker.Enter());
}

CO_TEST(ProviderChainTest, WhoHasNoTimeLeftOpensNoCircuit) {
  TwoProviders two(ctx, {.retry = {.backoff = milliseconds(1)}, .breaker = {.threshold = 1}});

  const auto late = co_await two.chain.Ask(ctx.WithTimeout(Duration::zero()), {}, {});
  two.first->ThenSay("hello");
  const auto answer = co_await two.chain.Ask(ctx, {}, {});

  EXPECT_EQ(late.error().code(), ErrorCode::kTimeout);
  EXPECT_TRUE(answer) << "nobody has failed";
  if (answer) EXPECT_EQ(answer->provider, "first");
}

CO_TEST(ProviderChainTest, WhatWasPaidForNothingIsPaidAllTheSame) {
  TwoProviders two(ctx);
  two.first->Then(Fail(WithBill(Broken(ProviderFault::kInvalidAnswer),
                                {.usage = {.input = 100, .output = 20}, .cost_micros = 7})));
  two.first->Then(ProviderAnswer{
      .action = Respond{"hello"}, .usage = {.input = 90, .output = 5}, .cost_micros = 3});

  const auto answer = co_await two.chain.Ask(ctx, {}, {});

  EXPECT_TRUE(answer);
  if (!answer) co_return;
  EXPECT_EQ(answer->usage, (TokenUsage{.input = 190, .output = 25}));
  EXPECT_EQ(answer->cost_micros, 10);
}

}  // namespace
}  // namespace falconer::agent
