#include "agent/crawl/normalized_url.h"

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

struct UrlCase {
  const char* written;
  const char* normal;
};

constexpr UrlCase kUrlCases[] = {
    {"https://Example.COM", "https://example.com/"},
    {"https://example.com:443/a", "https://example.com/a"},
    {"http://example.com:80/", "http://example.com/"},
    {"http://example.com:443/", "http://example.com:443/"},
    {"https://example.com/a#part", "https://example.com/a"},
    {"https://example.com/a?b=2&a=1", "https://example.com/a?a=1&b=2"},
    {"https://example.com/a?x=2&x=1", "https://example.com/a?x=2&x=1"},
    {"https://example.com/a?utm_source=x&id=7&gclid=1&fbclid=2", "https://example.com/a?id=7"},
    {"https://example.com/a?UTM_Medium=x", "https://example.com/a"},
    {"https://example.com/%7euser/%c3%a9", "https://example.com/%7Euser/%C3%A9"},
    {"https://example.com?q=1#x", "https://example.com/?q=1"},
    {"http://[::1]:8080/a", "http://[::1]:8080/a"},
};

TEST(NormalizedUrlTest, MakesAddressesOfOnePageTheSame) {
  for (const UrlCase& one : kUrlCases) EXPECT_EQ(NormalizedUrl(one.written), one.normal);
}

TEST(NormalizedUrlTest, TellsTheParts) {
  EXPECT_EQ(OriginOf("https://A.test:8443/x?y#z"), "https://a.test:8443");
  EXPECT_EQ(HostAndPortOf("http://A.test:80/x"), "a.test");
  EXPECT_EQ(PathAndQueryOf("https://a.test/x?y=1#z"), "/x?y=1");
  EXPECT_EQ(PathAndQueryOf("https://a.test"), "/");
}

}  // namespace
}  // namespace falconer::agent
