#include "policy/host_pattern.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

TEST(HostPatternTest, MatchesWhatItSays) {
  struct Row {
    const char* pattern;
    const char* host;
    std::uint16_t port;
    bool expected;
  };
  constexpr Row kRows[] = {
      {"example.com", "example.com", 443, true},
      {"example.com", "EXAMPLE.com.", 8443, true},
      {"Example.COM", "example.com", 443, true},
      {"example.com", "www.example.com", 443, false},
      {"example.com", "example.com.evil.test", 443, false},
      {"example.com", "notexample.com", 443, false},
      {"example.com:8443", "example.com", 8443, true},
      {"example.com:8443", "example.com", 443, false},
      {"*.example.com", "www.example.com", 443, true},
      {"*.example.com", "a.b.example.com", 443, true},
      {"*.example.com", "example.com", 443, false},
      {"*.example.com", "xexample.com", 443, false},
      {"*.example.com:80", "www.example.com", 443, false},
      {"*", "anything.test", 1, true},
      {"*:443", "anything.test", 80, false},
      {"127.0.0.1", "2130706433", 80, true},
      {"0x7f.1", "127.0.0.1", 80, true},
      {"[::1]:80", "[0:0::1]", 80, true},
      {"[::1]", "[::2]", 80, false},
      {"bücher.test", "xn--bcher-kva.test", 443, true},
      {"*.BÜCHER.test", "www.bücher.test", 443, true},
      {"faß.de", "xn--fa-hia.de", 443, true},
      {"example.com", "ｅxample。com", 443, true},
      {"127.0.0.1", "１２７.0.0.1", 443, true},
      {"8.8.8.8", "[::ffff:8.8.8.8]", 443, true},
      {"[64:ff9b::8.8.8.8]", "8.8.8.8", 443, true},
      {"10.0.0.0/8", "10.1.2.3", 443, true},
      {"10.0.0.0/8", "[::ffff:10.1.2.3]", 443, true},
      {"10.0.0.0/8", "11.1.2.3", 443, false},
      {"10.0.0.0/8", "10.test", 443, false},
      {"10.0.0.0/8:80", "10.1.2.3", 443, false},
      {"[fd00::]/8:80", "[fd12::1]", 80, true},
  };
  for (const Row& row : kRows) {
    const auto pattern = HostPattern::Parse(row.pattern);
    ASSERT_TRUE(pattern) << row.pattern << ": " << Describe(pattern.error());
    const auto host = ParseHost(row.host);
    ASSERT_TRUE(host) << row.host << ": " << Describe(host.error());
    EXPECT_EQ(pattern->Matches(*host, row.port), row.expected) << row.pattern << " " << row.host;
  }
}

TEST(HostPatternTest, RefusesWhatIsNoPattern) {
  for (const char* text : {"",
                           "*.",
                           "*.*",
                           "**",
                           "a.*.b",
                           "*a.test",
                           "https://example.com",
                           "example.com/",
                           "a b",
                           "example.com:",
                           "example.com:0",
                           "example.com:65536",
                           "example.com:+1",
                           "example.com:8o",
                           ".example.com",
                           "a..b",
                           "*.127.0.0.1",
                           "*.[::1]",
                           "1.2.3.256",
                           "[::1",
                           "::1",
                           "a%2eb",
                           "user@example.com",
                           "10.0.0.1/8",
                           "0.0.0.0/0",
                           "*.10.0.0.0/8",
                           "xn--\xff.test"}) {
    const auto pattern = HostPattern::Parse(text);
    ASSERT_FALSE(pattern) << text;
    EXPECT_EQ(pattern.error().code(), ErrorCode::kInvalidArgument);
  }
}

TEST(HostPatternTest, OnlyNamingCountsAsNaming) {
  const Host loopback = *ParseHost("127.0.0.1");
  const Host local = *ParseHost("app.localhost");

  EXPECT_TRUE(HostPattern::Parse("127.0.0.1")->Names(loopback));
  EXPECT_FALSE(HostPattern::Parse("*")->Names(loopback));
  EXPECT_TRUE(HostPattern::Parse("*.localhost")->Names(local));
  EXPECT_TRUE(HostPattern::Parse("app.localhost")->Names(local));
  EXPECT_TRUE(HostPattern::Parse("127.0.0.0/8")->Names(loopback));
  EXPECT_FALSE(HostPattern::Parse("169.254.0.0/16")->Names(*ParseHost("169.254.169.254")));
  EXPECT_TRUE(HostPattern::Parse("169.254.169.254")->Names(*ParseHost("169.254.169.254")));
}

TEST(HostPatternTest, RefusesHostsThatAreTooLong) {
  EXPECT_TRUE(ParseHost(std::string(63, 'a') + ".test"));
  EXPECT_FALSE(ParseHost(std::string(64, 'a') + ".test"));
  std::string name = "test";
  while (name.size() < 260) name = "aaaaaaaaaa." + name;
  EXPECT_FALSE(ParseHost(name));
  EXPECT_FALSE(ParseHost(std::string("a\0b.test", 8)));
}

}  // namespace
}  // namespace falconer::policy
