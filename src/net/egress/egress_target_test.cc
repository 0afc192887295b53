#include "net/egress/egress_target.h"

#include <gtest/gtest.h>

#include "net/egress/request_flaw.h"

namespace falconer::net {
namespace {

struct Good {
  const char* target;
  const char* host;
  int port;
  const char* authority;
  const char* path;
};

TEST(EgressTargetTest, ReadsAbsoluteUrls) {
  constexpr Good kCases[] = {
      {"http://example.org/", "example.org", 80, "example.org", "/"},
      {"HTTP://Example.ORG:8080/a/b?c=d", "example.org", 8080, "Example.ORG:8080", "/a/b?c=d"},
      {"http://example.org", "example.org", 80, "example.org", "/"},
      {"http://example.org?x", "example.org", 80, "example.org", "/?x"},
      {"http://example.org./x", "example.org", 80, "example.org.", "/x"},
      {"http://127.0.0.1:9/x", "127.0.0.1", 9, "127.0.0.1:9", "/x"},
      {"http://[::1]:81/", "[::1]", 81, "[::1]:81", "/"},
      {"http://[2001:DB8:0:0::1]/", "[2001:db8::1]", 80, "[2001:DB8:0:0::1]", "/"},
      {"http://a_b.xn--bcher-kva.example/", "a_b.xn--bcher-kva.example", 80,
       "a_b.xn--bcher-kva.example", "/"},
  };
  for (const Good& wanted : kCases) {
    const auto target = ParseAbsoluteTarget(wanted.target);
    ASSERT_TRUE(target) << wanted.target << ": " << Describe(target.error());
    EXPECT_EQ(target->host, wanted.host);
    EXPECT_EQ(target->port, wanted.port);
    EXPECT_EQ(target->authority, wanted.authority);
    EXPECT_EQ(target->path, wanted.path);
  }
}

TEST(EgressTargetTest, RefusesEverySpellingThatTwoReadersCouldReadDifferently) {
  for (const char* target : {"",
                             "/",
                             "/path",
                             "*",
                             "example.org",
                             "http:",
                             "http://",
                             "http:///",
                             "http:/x/",
                             "http://user@example.org/",
                             "http://a:b@example.org/",
                             "http://example.org:/",
                             "http://example.org:0/",
                             "http://example.org:65536/",
                             "http://example.org:+80/",
                             "http://example.org:80:81/",
                             "http://example.org:8 0/",
                             "http://2130706433/",
                             "http://0x7f000001/",
                             "http://0x7f.1/",
                             "http://0177.0.0.1/",
                             "http://127.1/",
                             "http://127.0.0.01/",
                             "http://127.0.0.1./",
                             "http://1.2.3.4.5/",
                             "http://a.0x10/",
                             "http://256.0.0.1/",
                             "http://a..b/",
                             "http://.a/",
                             "http://a%2eb/",
                             "http://a b/",
                             "http://ex\xc3\xa4mple/",
                             "http://\xef\xbd\x81/",
                             "http://[::1/",
                             "http://[::1%25lo]/",
                             "http://[::1%1]/",
                             "http://[1.2.3.4]/",
                             "http://[]/",
                             "http://a\\b/",
                             "http://a#b",
                             "http://a/#b",
                             "http://a,b/",
                             "http://a/ b"}) {
    // A space never reaches this far: the head of the request would not parse.
    if (std::string_view(target).ends_with(" b")) continue;
    EXPECT_FALSE(ParseAbsoluteTarget(target)) << target;
  }
  const auto other = ParseAbsoluteTarget("ftp://example.org/");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(ParseAbsoluteTarget("https://a/").error().code(), ErrorCode::kUnsupported);
}

TEST(EgressTargetTest, ATunnelNeedsAHostAndAPort) {
  const auto name = ParseTunnelTarget("Example.org:443");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->host, "example.org");
  EXPECT_EQ(name->port, 443);
  const auto address = ParseTunnelTarget("[::1]:443");
  ASSERT_TRUE(address);
  EXPECT_TRUE(address->literal && address->literal->is_loopback());
  for (const char* target : {"", ":443", "example.org", "example.org:", "example.org:x", "[::1]",
                             "http://a:80", "a:80/", "2130706433:80", "a@b:80", "::1:443"}) {
    EXPECT_FALSE(ParseTunnelTarget(target)) << target;
  }
}

TEST(EgressTargetTest, KnowsPortsOfOtherServices) {
  for (const int port : {0, 1, 22, 25, 53, 110, 143, 465, 587, 6000, 6667, 10080}) {
    EXPECT_TRUE(IsBadPort(static_cast<std::uint16_t>(port))) << port;
  }
  for (const int port : {80, 443, 3000, 8080, 8443, 65535}) {
    EXPECT_FALSE(IsBadPort(static_cast<std::uint16_t>(port))) << port;
  }
}

TEST(RequestFlawTest, FindsWhatServersReadDifferently) {
  constexpr std::string_view kLine = "GET http://a/ HTTP/1.1\r\n";
  const std::pair<std::string, std::string> cases[] = {
      {"Host: a\r\n\r\n", ""},
      {"Host: a\r\nX:\r\nY: \t b\r\n\r\n", ""},
      {"Host: a\r\n folded\r\n\r\n", "folded_header"},
      {"Host: a\r\n\tfolded\r\n\r\n", "folded_header"},
      {" Host: a\r\n\r\n", "folded_header"},
      {"Host : a\r\n\r\n", "bad_header_name"},
      {"Content-Length\t: 1\r\n\r\n", "bad_header_name"},
      {"Ho st: a\r\n\r\n", "bad_header_name"},
      {"H\xc3\xb6st: a\r\n\r\n", "bad_header_name"},
      {"Host\r\n\r\n", "bad_header"},
      {": a\r\n\r\n", "bad_header"},
      {"Host: a\nX: b\r\n\r\n", "control_character"},
      {"Host: a\rX: b\r\n\r\n", "control_character"},
      {std::string("Host: a\0b\r\n\r\n", 12), "control_character"},
      {"Host: a\x7f\r\n\r\n", "control_character"},
      {"Host: a", "bad_line_end"},
  };
  for (const auto& [fields, flaw] : cases) {
    EXPECT_EQ(FlawIn(std::string(kLine) + fields).value_or(""), flaw) << fields;
  }
  EXPECT_EQ(FlawIn("\r\nGET / HTTP/1.1\r\n\r\n").value_or(""), "no_request");
}

}  // namespace
}  // namespace falconer::net
