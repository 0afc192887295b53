// What is remembered of robots.txt, and for how long.
#include "agent/crawl/robots_book.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/settle.h"

namespace falconer::agent {
namespace {

// A site that counts how often it was asked.
struct AskedSite {
  RobotsAnswer answer;
  int asked = 0;
  std::optional<Error> failure = std::nullopt;
  bool is_slow = false;
  Notifier changes = {};

  static Task<Result<RobotsAnswer>> Answer(CallContext ctx, AskedSite* site) {
    ++site->asked;
    CO_TRY(co_await site->changes.Until(ctx, [site] { return !site->is_slow; }, "the site"));
    if (site->failure) co_return std::unexpected(*site->failure);
    co_return site->answer;
  }
  RobotsBook::Fetch fetch() {
    return [this](CallContext ctx) { return Answer(std::move(ctx), this); };
  }
};

CO_TEST(RobotsBookTest, AsksOnceADay) {
  FakeClock clock;
  const CallContext now(ctx.executor(), clock);
  RobotsBook book("falconer");
  AskedSite site{.answer = {.status = 200, .text = "User-agent: *\nDisallow: /x"}};
  for (int i = 0; i < 2; ++i) {
    const auto rules = co_await book.For(now, "https://a.test", site.fetch());
    EXPECT_FALSE(rules && rules->Allows("/x"));
  }
  EXPECT_EQ(site.asked, 1);
  clock.Advance(std::chrono::hours(24));
  const auto again = co_await book.For(now, "https://a.test", site.fetch());
  EXPECT_TRUE(again);
  EXPECT_EQ(site.asked, 2);
}

CO_TEST(RobotsBookTest, AFileThatIsNotThereAllowsAndAServerInTroubleDoesNot) {
  FakeClock clock;
  const CallContext now(ctx.executor(), clock);
  RobotsBook book("falconer");
  AskedSite missing{.answer = {.status = 404, .text = "User-agent: *\nDisallow: /"}};
  AskedSite broken{.answer = {.status = 503, .text = ""}};

  EXPECT_TRUE((co_await book.For(now, "https://a.test", missing.fetch()))->Allows("/x"));
  EXPECT_FALSE((co_await book.For(now, "https://b.test", broken.fetch()))->Allows("/x"));
  broken.answer.status = 200;
  clock.Advance(std::chrono::minutes(1));
  EXPECT_TRUE((co_await book.For(now, "https://b.test", broken.fetch()))->Allows("/x"));
}

CO_TEST(RobotsBookTest, OneAsksForAllWhoWait) {
  RobotsBook book("falconer");
  AskedSite site{.answer = {.status = 200, .text = ""}, .is_slow = true};
  test::InBackground first(ctx.executor(), book.For(ctx, "https://a.test", site.fetch()));
  test::InBackground second(ctx.executor(), book.For(ctx, "https://a.test", site.fetch()));
  co_await test::Settle();
  site.is_slow = false;
  site.changes.NotifyAll();

  EXPECT_TRUE(co_await first.Join());
  EXPECT_TRUE(co_await second.Join());
  EXPECT_EQ(site.asked, 1);
}

CO_TEST(RobotsBookTest, WhatFailedIsAskedAgain) {
  RobotsBook book("falconer");
  AskedSite site{.answer = {.status = 200, .text = ""},
                 .failure = Error(ErrorCode::kNavigationFailed, "unreachable")};
  const auto failed = co_await book.For(ctx, "https://a.test", site.fetch());
  EXPECT_EQ(failed.error().code(), ErrorCode::kNavigationFailed);
  site.failure.reset();
  EXPECT_TRUE(co_await book.For(ctx, "https://a.test", site.fetch()));
}

}  // namespace
}  // namespace falconer::agent
