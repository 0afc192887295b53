#include "base/async/event_hub.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace falconer {
namespace {

using Heard = std::vector<std::string>;

TEST(EventHubTest, TellsEveryoneInTheOrderTheyCame) {
  EventHub<const std::string&> hub;
  Heard heard;
  const auto a = hub.Subscribe([&](const std::string& what) { heard.push_back("a:" + what); });
  const auto b = hub.Subscribe([&](const std::string& what) { heard.push_back("b:" + what); });

  hub.Emit("one");
  hub.Emit("two");

  EXPECT_EQ(heard, (Heard{"a:one", "b:one", "a:two", "b:two"}));
}

TEST(EventHubTest, IsEmptyWhenNobodyListens) {
  EventHub<> hub;
  EXPECT_TRUE(hub.empty());
  auto subscription = hub.Subscribe([] {});
  EXPECT_FALSE(hub.empty());

  subscription.Reset();

  EXPECT_TRUE(hub.empty());
  hub.Emit();
}

TEST(EventHubTest, WhoeverLeavesDuringAnEventHearsNothingMore) {
  EventHub<> hub;
  Heard heard;
  Subscription second;
  const auto first = hub.Subscribe([&] {
    heard.push_back("first");
    second.Reset();
  });
  second = hub.Subscribe([&] { heard.push_back("second"); });
  const auto third = hub.Subscribe([&] { heard.push_back("third"); });

  hub.Emit();

  EXPECT_EQ(heard, (Heard{"first", "third"}));
}

TEST(EventHubTest, WhoeverComesDuringAnEventHearsTheNextOne) {
  EventHub<> hub;
  int late = 0;
  std::vector<Subscription> kept;
  const auto first = hub.Subscribe([&] {
    if (kept.empty()) kept.push_back(hub.Subscribe([&] { ++late; }));
  });

  hub.Emit();
  EXPECT_EQ(late, 0);
  hub.Emit();
  EXPECT_EQ(late, 1);
}

TEST(EventHubTest, AHandlerMayDropItself) {
  EventHub<> hub;
  int heard = 0;
  Subscription self;
  // The capture is what a careless hub would destroy while it is being used.
  self = hub.Subscribe([&, big = std::string(1000, 'x')] {
    self.Reset();
    heard += static_cast<int>(big.size());
  });

  hub.Emit();
  hub.Emit();

  EXPECT_EQ(heard, 1000);
}

TEST(EventHubTest, AHandlerMayEmitAgain) {
  EventHub<int> hub;
  std::vector<int> heard;
  const auto subscription = hub.Subscribe([&](int depth) {
    heard.push_back(depth);
    if (depth < 3) hub.Emit(depth + 1);
  });

  hub.Emit(1);

  EXPECT_EQ(heard, (std::vector<int>{1, 2, 3}));
}

TEST(EventHubTest, AHandlerMayDestroyTheHub) {
  auto hub = std::make_unique<EventHub<>>();
  Heard heard;
  const auto first = hub->Subscribe([&] {
    heard.push_back("first");
    hub.reset();
  });
  const auto second = hub->Subscribe([&] { heard.push_back("second"); });

  hub->Emit();

  EXPECT_EQ(heard.front(), "first");
}

TEST(EventHubTest, ASubscriptionMayOutliveTheHub) {
  Subscription subscription;
  {
    EventHub<> hub;
    subscription = hub.Subscribe([] {});
  }
  subscription.Reset();
}

TEST(SubscriptionTest, UnregistersExactlyOnce) {
  int removed = 0;
  {
    Subscription first([&] { ++removed; });
    Subscription second = std::move(first);
    EXPECT_EQ(removed, 0);
    second.Reset();
    EXPECT_EQ(removed, 1);
  }
  EXPECT_EQ(removed, 1);
}

TEST(SubscriptionTest, AssigningLetsGoOfTheOldOne) {
  int removed = 0;
  Subscription subscription([&] { ++removed; });

  subscription = Subscription();

  EXPECT_EQ(removed, 1);
}

}  // namespace
}  // namespace falconer
