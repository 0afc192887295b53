// The egress proxy under a whole program and a real browser: where names lead is checked, what does
// not get through says why, what leaves is put down to its turn, and there is no other way out.

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "tests/e2e/hostile_pages.h"
#include "tests/e2e/house.h"
#include "tests/support/egress_bench.h"

namespace falconer::test {
namespace {

using namespace std::chrono_literals;
using Addresses = std::vector<std::string>;

constexpr const char* kInside = "127.0.0.3";
constexpr std::string_view kBlocked = "SECURITY_DOMAIN_BLOCK";
constexpr std::string_view kNotPublic = "address_not_public";

json::value At(const Answer& answer, std::string_view pointer) {
  boost::system::error_code none;
  const json::value all(answer.all);
  const json::value* found = all.find_pointer(pointer, none);
  return found == nullptr ? json::value() : *found;
}

std::int64_t NumberAt(const Answer& answer, std::string_view pointer) {
  const json::value value = At(answer, pointer);
  return value.is_number() ? value.to_number<std::int64_t>() : -1;
}

// A service inside, on the site's port: nobody may ever connect to it.
Task<void> SayNothing(RawPeer* /*peer*/) {
  co_return;
}

void ExpectBlocked(const Answer& answer, std::string_view what) {
  EXPECT_EQ(answer.code(), kBlocked) << what << ": " << answer.text();
  EXPECT_EQ(answer.reason(), kNotPublic) << what << ": " << answer.text();
}

TEST(EgressTest, ANameThatTurnsInsideIsNotFollowed) {
  House::Wishes wishes{.allow = {"shift.test"}, .settings = {"egress.dns_cache=0s"}};
  House::Run(std::move(wishes), [](House* house) -> Task<void> {
    RawHost inside(house->ctx, SayNothing, kInside, house->port());
    house->names = [](const std::string& name, int n) {
      if (name != "shift.test") return Addresses();
      return Addresses{n % 2 == 0 ? "127.0.0.1" : kInside};
    };
    house->site.Serve("/start", house->Filled(R"(<title>t</title><p id=got>-</p><script>
      Promise.allSettled([...Array(8)].map((_, i) => fetch('/inner?' + i).then(r => r.status)))
        .then(all => {
          got.textContent = all.map(one => one.value ?? 'x').join();
          new Image().src = 'http://{SHOP}/ended';
        })</script>)"));
    house->site.On("/inner",
                   [](const net::HttpRequest&) { return net::HttpResponse{.body = "in"}; });

    const auto began = co_await house->Navigate(house->UrlAt("shift.test", "/start"));
    EXPECT_TRUE(began.is_success()) << began.text();
    const auto ended = co_await house->site.UntilRequests(house->ctx.WithTimeout(10s), "/ended", 1);
    EXPECT_TRUE(ended) << Describe(ended.error());
    EXPECT_GE(house->Asked("shift.test"), 2) << "nothing was looked up again";
    const std::string got = co_await house->Read("#got");
    EXPECT_TRUE(got.contains("403")) << got;
    EXPECT_TRUE(got.contains("200")) << got;
    EXPECT_EQ(inside.accepted(), 0);
    co_await inside.Stop();
  });
}

TEST(EgressTest, AHostWithOneAddressInsideIsRefusedAsAWhole) {
  House::Wishes wishes{.allow = {"mixed.test", "inner.test"}};
  House::Run(std::move(wishes), [](House* house) -> Task<void> {
    RawHost inside(house->ctx, SayNothing, kInside, house->port());
    house->names = [](const std::string& name, int) {
      if (name == "mixed.test") return Addresses{"127.0.0.1", kInside};
      return name == "inner.test" ? Addresses{kInside} : Addresses();
    };
    for (const char* host : {"mixed.test", "inner.test"}) {
      const auto went = co_await house->Navigate(house->UrlAt(host, "/empty.html"));
      ExpectBlocked(went, host);
      EXPECT_EQ(At(went, "/failure/details/host"), json::value(host));
    }
    // In a tunnel the browser is told nothing but that there is none.
    const auto tunnel =
        co_await house->Navigate("https://inner.test:" + std::to_string(house->port()) + "/");
    ExpectBlocked(tunnel, "https");
    EXPECT_TRUE(At(tunnel, "/failure/details/decision").is_string()) << tunnel.text();
    EXPECT_EQ(inside.accepted(), 0);
    co_await inside.Stop();
  });
}

TEST(EgressTest, NoWayOfWritingAnAddressLeadsInside) {
  static const Addresses kEmbedded = {"127.0.0.3",
                                      "10.0.0.1",
                                      "169.254.169.254",
                                      "100.64.0.1",
                                      "0.0.0.0",
                                      "::1",
                                      "::",
                                      "::ffff:127.0.0.3",
                                      "fd00::1",
                                      "fe80::1",
                                      "64:ff9b::7f00:3",
                                      "64:ff9b:1::7f00:3",
                                      "2002:7f00:3::1",
                                      "2001:0:0:0:0:0:80ff:fffc",
                                      "::127.0.0.3",
                                      "2001:db8::200:5efe:7f00:3"};
  House::Run({.allow = {"*"}}, [](House* house) -> Task<void> {
    house->names = [](const std::string& name, int) {
      const auto at = static_cast<std::size_t>(std::atoi(name.c_str() + 1));
      return name.starts_with("e") && at < kEmbedded.size() ? Addresses{kEmbedded[at]}
                                                            : Addresses();
    };
    for (std::size_t i = 0; i < kEmbedded.size(); ++i) {
      const auto went =
          co_await house->Navigate(house->UrlAt("e" + std::to_string(i) + ".test", "/empty.html"));
      ExpectBlocked(went, kEmbedded[i]);
    }
    EXPECT_EQ(house->site.RequestCount("/empty.html"), 0U);
  });
}

TEST(EgressTest, FailuresKeepTheirNames) {
  House::Wishes wishes{.allow = {"gone.test", "127.0.0.1:9"}};
  House::Run(std::move(wishes), [](House* house) -> Task<void> {
    struct Row {
      const char* url;
      const char* net_error;
    };
    constexpr Row kRows[] = {{"http://gone.test/", "net::ERR_NAME_NOT_RESOLVED"},
                             {"https://gone.test/", "net::ERR_NAME_NOT_RESOLVED"},
                             {"https://127.0.0.1:9/", "net::ERR_"}};
    for (const Row& row : kRows) {
      const auto went = co_await house->Navigate(row.url);
      EXPECT_EQ(went.code(), "NAVIGATION_FAILED") << went.text();
      EXPECT_TRUE(went.text().contains(row.net_error)) << went.text();
    }
  });
}

TEST(EgressTest, WhatLeavesIsPutDownToItsTurn) {
  House::Run({}, [](House* house) -> Task<void> {
    house->site.Serve("/page", "<title>t</title><p id=p>" + std::string(20'000, 'x'));
    const auto went = co_await house->Navigate(house->Url("/page"));
    EXPECT_TRUE(went.is_success()) << went.text();
    EXPECT_GE(NumberAt(went, "/network_summary/egress/requests"), 1) << went.text();
    EXPECT_GE(NumberAt(went, "/network_summary/egress/bytes_down"), 20'000) << went.text();
    EXPECT_EQ(NumberAt(went, "/network_summary/egress/refused"), 0) << went.text();
    const auto looked = co_await house->Do({{"action_type", "extract"}, {"selector", "#p"}});
    EXPECT_EQ(NumberAt(looked, "/network_summary/egress/requests"), 0) << looked.text();
  });
}

TEST(EgressTest, ASessionEndsAtItsBytes) {
  House::Wishes wishes{.settings = {"egress.max_bytes_down=64KiB"}};
  House::Run(std::move(wishes), [](House* house) -> Task<void> {
    house->site.Serve("/big", "<title>t</title>" + std::string(300'000, 'x'));
    co_await house->Navigate(house->Url("/big"));
    const auto next = co_await house->Navigate(house->Url("/empty.html"));
    EXPECT_EQ(next.code(), "BUDGET_EXCEEDED") << next.text();
    EXPECT_EQ(house->site.RequestCount("/empty.html"), 0U);
  });
}

// What one sends first may leave before anybody can judge it, so there are none to begin with.
TEST(EgressTest, PagesHaveNoSharedWorkers) {
  House::Run({}, [](House* house) -> Task<void> {
    house->site.Serve("/shared", "<script>document.title = typeof SharedWorker</script>");
    const auto shown = co_await house->Navigate(house->Url("/shared"));
    EXPECT_TRUE(shown.text().contains("undefined")) << shown.text();
  });
}

// How often the site was asked for what a page has fetched on speculation.
std::size_t Speculated(std::vector<std::string> settings) {
  std::size_t asked = 0;
  House::Run({.settings = std::move(settings)}, [&asked](House* house) -> Task<void> {
    ServeHostilePages(*house);
    for (const char* path : {"/speculated/f", "/speculated/r"}) house->site.Serve(path, "<p>x</p>");
    co_await ShowHostilePage(house, &HostilePageNamed("speculation"));
    asked = house->site.RequestCount("/speculated/f") + house->site.RequestCount("/speculated/r");
  });
  return asked;
}

TEST(EgressTest, NothingIsFetchedOnSpeculation) {
  EXPECT_EQ(Speculated({}), 0U);
  EXPECT_EQ(Speculated({"browser.full=true"}), 0U);
  EXPECT_GT(Speculated({"browser.extra_args=--disable-features=PrefetchSchedulerTesting"}), 0U)
      << "the page does nothing, so that it proves nothing";
}

// What the browser itself writes down about its sockets.
json::value NetLog(const std::filesystem::path& file) {
  const auto text = ReadFile(file);
  EXPECT_TRUE(text);
  auto log = ParseJson(text.value_or(""));
  EXPECT_TRUE(log) << "the browser did not end its log";
  return log ? *std::move(log) : json::value(json::object());
}

TEST(EgressTest, TheBrowserHasNoOtherWayOut) {
  const auto folder = TempDir::Create("falconer-netlog-");
  ASSERT_TRUE(folder);
  const auto file = folder->path() / "log.json";
  House::Run({.settings = {"browser.extra_args=--log-net-log=" + file.string()}},
             [](House* house) -> Task<void> {
               ServeHostilePages(*house);
               for (const std::string_view page : {"hints", "speculation", "webrtc", "subdomains",
                                                   "websocket", "webtransport", "image"}) {
                 co_await ShowHostilePage(house, &HostilePageNamed(page));
               }
               EXPECT_EQ(ReachedOutside(*house), 0);
             });
  const json::value log = NetLog(file);
  boost::system::error_code none;
  const json::value* types = log.find_pointer("/constants/logEventTypes", none);
  const json::value* events = log.find_pointer("/events", none);
  ASSERT_TRUE(types != nullptr && events != nullptr);
  const auto type_of = [&](std::string_view name) {
    const json::value* number = types->as_object().if_contains(name);
    return number == nullptr ? -1 : number->to_number<int>();
  };
  const int connect = type_of("TCP_CONNECT_ATTEMPT");
  const int packet = type_of("UDP_BYTES_SENT");
  const int query = type_of("DNS_TRANSACTION_QUERY");
  std::set<std::string> places;
  for (const json::value& event : events->as_array()) {
    const int type = event.at("type").to_number<int>();
    EXPECT_NE(type, packet) << json::serialize(event);
    EXPECT_NE(type, query) << json::serialize(event);
    if (type != connect) continue;
    const json::value* address = event.find_pointer("/params/address", none);
    if (address != nullptr) places.insert(std::string(address->as_string()));
  }
  EXPECT_EQ(places.size(), 1U) << "only the proxy";
  for (const std::string& place : places) EXPECT_TRUE(place.starts_with("127.0.0.1:")) << place;
}

}  // namespace
}  // namespace falconer::test
