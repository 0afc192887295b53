#include "browser/launch_arguments.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

std::size_t CountOf(const std::vector<std::string>& arguments, std::string_view prefix) {
  return static_cast<std::size_t>(std::ranges::count_if(
      arguments, [&](const std::string& argument) { return argument.starts_with(prefix); }));
}

bool Has(const std::vector<std::string>& arguments, std::string_view argument) {
  return std::ranges::find(arguments, argument) != arguments.end();
}

TEST(LaunchArgumentsTest, OneListOfFeaturesHoldsThemAll) {
  BrowserConfig config;
  config.extra_arguments = {"--disable-features=Mine", "--a"};
  config.egress_proxy = "http://127.0.0.1:1";
  const auto arguments = LaunchArguments(config);
  EXPECT_EQ(CountOf(arguments, "--disable-features="), 1U) << "only the last one counts";
  const auto features = std::ranges::find_if(
      arguments, [](const std::string& a) { return a.starts_with("--disable-features="); });
  for (const char* feature : {"Mine", "AsyncDns", "ServiceWorkerAutoPreload"})
    EXPECT_TRUE(features->contains(feature)) << feature;
  EXPECT_TRUE(Has(arguments, "--a"));
}

TEST(LaunchArgumentsTest, AVisibleWindowHasRoomForThePage) {
  BrowserConfig config{.page_width = 1440, .page_height = 900};
  EXPECT_EQ(CountOf(LaunchArguments(config), "--window-size="), 0U);
  config.visibility = Visibility::kVisible;
  EXPECT_TRUE(Has(LaunchArguments(config), "--window-size=1440,987"));
}

TEST(LaunchArgumentsTest, WithAnEgressProxyThereIsNoOtherWay) {
  BrowserConfig config;
  EXPECT_EQ(CountOf(LaunchArguments(config), "--proxy-server="), 0U);
  EXPECT_EQ(CountOf(LaunchArguments(config), "--host-resolver-rules="), 0U);
  config.egress_proxy = "http://127.0.0.1:4321";
  const auto arguments = LaunchArguments(config);
  for (const char* argument :
       {"--proxy-server=http://127.0.0.1:4321", "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--disable-quic",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp"})
    EXPECT_TRUE(Has(arguments, argument)) << argument;
}

TEST(LaunchArgumentsTest, SharedWorkersAreAnInterfaceThatCanBeClosed) {
  BrowserConfig config;
  const std::string closed = "--disable-blink-features=WebUSB,Serial,WebHID,GetDisplayMedia";
  EXPECT_TRUE(Has(LaunchArguments(config), closed));
  config.shared_workers = SharedWorkers::kNone;
  EXPECT_TRUE(Has(LaunchArguments(config), closed + ",SharedWorker"));
  EXPECT_EQ(CountOf(LaunchArguments(config), "--disable-blink-features="), 1U);
}

}  // namespace
}  // namespace falconer::browser
