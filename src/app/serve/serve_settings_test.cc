#include "app/serve/serve_settings.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

TEST(ServeSettingsTest, SpeaksPlainHttpUnlessToldOtherwise) {
  Settings settings = DefaultSettings();
  const auto tls = ServeTlsFrom(settings);
  ASSERT_TRUE(tls);
  EXPECT_EQ(*tls, nullptr);
  EXPECT_EQ(ServeScheme(settings), "http");

  settings.serve.tls_cert = "/no/such/cert.pem";
  const auto half = ServeTlsFrom(settings);
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().code(), ErrorCode::kInvalidSetting);
  EXPECT_NE(half.error().message().find("serve.tls_key"), std::string::npos);

  settings.serve.tls_key = "/no/such/key.pem";
  const auto missing = ServeTlsFrom(settings);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::kInvalidSetting);
  EXPECT_NE(missing.error().message().find("/no/such/cert.pem"), std::string::npos);
  EXPECT_EQ(ServeScheme(settings), "https");
}

TEST(ServeSettingsTest, NamesTheAuthorizationServer) {
  Settings settings = DefaultSettings();
  EXPECT_FALSE(ServeResourceFrom(settings)->is_told());
  settings.serve.auth_issuer = "https://login.example/";
  settings.serve.public_url = "https://falconer.example/";
  const auto resource = ServeResourceFrom(settings);
  ASSERT_TRUE(resource) << Describe(resource.error());
  // An issuer is compared as it stands.
  EXPECT_EQ(resource->issuer, "https://login.example/");
  EXPECT_EQ(resource->public_url, "https://falconer.example");
  const auto hosts = ServeRulesFrom(settings, *resource).hosts;
  EXPECT_NE(std::ranges::find(hosts, "falconer.example"), hosts.end());

  for (const char* bad : {"login.example", "ftp://login.example", "https://login.example/?x=\"y"}) {
    settings.serve.auth_issuer = bad;
    EXPECT_FALSE(ServeResourceFrom(settings)) << bad;
  }
}

TEST(ServeSettingsTest, KnowsWhatOnlyThisMachineReaches) {
  for (const char* own : {"127.0.0.1", "127.0.0.2", "::1"}) EXPECT_TRUE(IsLoopback(own)) << own;
  for (const char* other : {"0.0.0.0", "::", "192.0.2.1", "nonsense"})
    EXPECT_FALSE(IsLoopback(other)) << other;
  EXPECT_EQ(HostOf("::1"), "[::1]");
  EXPECT_EQ(HostOf("127.0.0.1"), "127.0.0.1");
}

}  // namespace
}  // namespace falconer::app
