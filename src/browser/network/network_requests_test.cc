#include "browser/network/network_requests.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::browser {
namespace {

using namespace std::chrono_literals;

struct NetworkRequestsTest : testing::Test {
  FakeClock clock;
  NetworkRequests requests{clock, 4};
};

TEST_F(NetworkRequestsTest, CountsWhatIsUnderWay) {
  requests.Open({.id = "1", .frame_id = "F"});
  requests.Open({.id = "2", .frame_id = "G"});
  requests.Open({.id = "3", .frame_id = "G", .holds_idle = false});

  EXPECT_EQ(requests.in_flight(), 2u);
  EXPECT_EQ(requests.in_flight("F"), 1u);
  EXPECT_EQ(requests.in_flight("G"), 1u);
  EXPECT_EQ(requests.in_flight("H"), 0u);
}

TEST_F(NetworkRequestsTest, RemembersWhenItBecameIdle) {
  const TimePoint start = clock.Now();
  EXPECT_EQ(requests.idle_since(), start);
  auto& request = requests.Open({.id = "1"});
  clock.Advance(5s);

  requests.Finish(request);
  clock.Advance(5s);

  EXPECT_EQ(requests.in_flight(), 0u);
  EXPECT_EQ(requests.idle_since(), start + 5s);
  requests.Finish(request);
  EXPECT_EQ(requests.idle_since(), start + 5s) << "finishing twice counts once";
}

TEST_F(NetworkRequestsTest, ARedirectIsNotAMomentOfSilence) {
  const TimePoint start = clock.Now();
  requests.Open({.id = "1", .url = "http://a.test/"});
  clock.Advance(1s);

  requests.Open({.id = "1", .url = "http://b.test/"});

  EXPECT_EQ(requests.in_flight(), 1u);
  EXPECT_EQ(requests.idle_since(), start);
  EXPECT_EQ(requests.Find("1")->url, "http://b.test/");
  EXPECT_EQ(requests.all().size(), 1u);
}

TEST_F(NetworkRequestsTest, ForgetsTheOldestThatIsDoneFirst) {
  requests.Open({.id = "1"});
  requests.Finish(requests.Open({.id = "2"}));
  requests.Open({.id = "3"});
  requests.Finish(requests.Open({.id = "4"}));

  requests.Open({.id = "5"});

  EXPECT_NE(requests.Find("1"), nullptr);
  EXPECT_EQ(requests.Find("2"), nullptr);
  EXPECT_EQ(requests.in_flight(), 3u);
}

TEST_F(NetworkRequestsTest, StaysBoundedWhenNothingEverEnds) {
  for (int i = 0; i < 100; ++i) requests.Open({.id = std::to_string(i)});

  EXPECT_EQ(requests.all().size(), 4u);
  EXPECT_EQ(requests.in_flight(), 4u);
  EXPECT_EQ(requests.Find("95"), nullptr);
  EXPECT_NE(requests.Find("96"), nullptr);
}

TEST_F(NetworkRequestsTest, AbandonsOnlyWhatIsUnderWay) {
  requests.Finish(requests.Open({.id = "done", .frame_id = "F"}));
  requests.Open({.id = "open", .frame_id = "F"});
  requests.Open({.id = "other", .frame_id = "G"});

  const auto dropped = requests.Abandon([](const auto& r) { return r.frame_id == "F"; });

  EXPECT_EQ(dropped, 1u);
  EXPECT_NE(requests.Find("done"), nullptr);
  EXPECT_EQ(requests.Find("open"), nullptr);
  EXPECT_EQ(requests.in_flight(), 1u);
}

TEST_F(NetworkRequestsTest, AStreamStopsHolding) {
  auto& stream = requests.Open({.id = "1"});

  requests.StopHolding(stream);
  EXPECT_EQ(requests.in_flight(), 0u);
  requests.Finish(stream);

  EXPECT_EQ(requests.in_flight(), 0u);
}

}  // namespace
}  // namespace falconer::browser
