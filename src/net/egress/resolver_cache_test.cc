#include "net/egress/resolver_cache.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/egress_bench.h"
#include "tests/support/in_background.h"
#include "tests/support/settle.h"

namespace falconer::net {
namespace {

using std::chrono::seconds;
using test::FakeResolver;
using test::InBackground;

CO_TEST(ResolverCacheTest, AsksAgainOnlyWhenTheAnswerIsOld) {
  FakeClock clock;
  FakeResolver inner;
  ResolverCache cache(ctx.executor(), clock, inner, {.keep = seconds(30)});

  for (int i = 0; i < 3; ++i) {
    const auto found = co_await cache.Resolve(ctx, "site.test");
    EXPECT_EQ(found.value_or(Addresses()).size(), 1U);
  }
  EXPECT_EQ(inner.asked, 1);
  clock.Advance(seconds(31));
  inner.names["site.test"] = {"127.0.0.1", "127.0.0.5"};
  const auto moved = co_await cache.Resolve(ctx, "site.test");

  EXPECT_EQ(moved.value_or(Addresses()).size(), 2U);
  EXPECT_EQ(inner.asked, 2);
}

CO_TEST(ResolverCacheTest, ManyAskersAreOneQuestion) {
  FakeResolver inner;
  ResolverCache cache(ctx.executor(), ctx.clock(), inner);
  CancelSource off;
  InBackground first(ctx.executor(), cache.Resolve(ctx.WithCancel(off.token()), "hangs.test"));
  InBackground second(ctx.executor(),
                      cache.Resolve(ctx.WithTimeout(std::chrono::milliseconds(20)), "hangs.test"));
  co_await test::Settle();

  off.Cancel(Error(ErrorCode::kCancelled, "no longer wanted"));
  const auto cancelled = co_await first.Join();
  const auto late = co_await second.Join();

  EXPECT_EQ(cancelled.error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(late.error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(inner.asked, 1);
}

CO_TEST(ResolverCacheTest, FailuresAreNotRemembered) {
  FakeResolver inner;
  ResolverCache cache(ctx.executor(), ctx.clock(), inner);

  const auto missing = co_await cache.Resolve(ctx, "new.test");
  inner.names["new.test"] = {"127.0.0.2"};
  const auto found = co_await cache.Resolve(ctx, "new.test");

  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(found);
}

CO_TEST(ResolverCacheTest, HoldsSoManyNamesAndNoMore) {
  FakeResolver inner;
  inner.names = {{"a.test", {"127.0.0.2"}}, {"b.test", {"127.0.0.2"}}, {"c.test", {"127.0.0.2"}}};
  ResolverCache cache(ctx.executor(), ctx.clock(), inner, {.max_names = 2});

  for (const char* name : {"a.test", "b.test", "c.test", "c.test", "a.test"}) {
    const auto found = co_await cache.Resolve(ctx, name);
    EXPECT_TRUE(found) << name;
  }

  // "a.test" had to make room for "c.test".
  EXPECT_EQ(inner.asked, 4);
}

}  // namespace
}  // namespace falconer::net
