#include "model/url.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(UrlTest, SplitsIntoParts) {
  struct Case {
    std::string_view url, scheme, host, port, path;
  };
  constexpr Case kCases[] = {
      {"HTTPS://User:p@Example.COM:8443/a/b?x=1#y", "https", "example.com", "8443", "/a/b"},
      {"http://[::1]:80/x", "http", "[::1]", "80", "/x"},
      {"http://[::1]", "http", "[::1]", "", ""},
      {"http://[::1", "http", "[::1", "", ""},
      {"http://x.test?a=/b", "http", "x.test", "", ""},
      {"http://x.test#a@b", "http", "x.test", "", ""},
      {"about:blank", "about", "", "", "blank"},
      {"data:text/html,hi", "data", "", "", "text/html,hi"},
      {"//x.test/a", "", "x.test", "", "/a"},
      {"/a/b", "", "", "", "/a/b"},
      {"a/b:c", "", "", "", "a/b:c"},
      {"", "", "", "", ""},
  };
  for (const Case& row : kCases) {
    const UrlParts parts = SplitUrl(row.url);
    EXPECT_EQ(parts.scheme, row.scheme) << row.url;
    EXPECT_EQ(parts.host, row.host) << row.url;
    EXPECT_EQ(parts.port, row.port) << row.url;
    EXPECT_EQ(parts.path, row.path) << row.url;
  }
}

TEST(UrlTest, AcceptsWebAddresses) {
  for (const char* url :
       {"http://x.test", "https://x.test/", "http://localhost:3000/a?b=c|d#e", "http://127.0.0.1:1",
        "http://[2001:db8::1]:8080/", "https://bücher.test/ä", "about:blank", "HTTP://X.TEST",
        "http://x.test:/", "http://x.test/?u=a@b"}) {
    const auto checked = CheckWebUrl(url);
    EXPECT_TRUE(checked) << url << ": " << checked.error().message();
  }
}

TEST(UrlTest, RefusesEverythingElse) {
  const std::string urls[] = {
      "",
      "x.test",
      "http:",
      "http://",
      "http:///a",
      "http:x.test",
      "http:/x.test",
      "http://?a",
      "https://:80/",
      "ftp://x.test",
      "javascript:alert(1)",
      "file:///etc/passwd",
      "data:text/html,x",
      "about:config",
      "chrome://version",
      " http://x.test",
      "http://x.test/a b",
      "http://x.test\\@evil.test",
      "http://x.test/\n",
      "ht\ttp://x.test",
      "http://user@x.test",
      "http://user:pass@x.test/",
      "http://x.test:99999",
      "http://x.test:8o",
      "http://x%2etest",
      "http://[::1",
      "http://[]",
      "http://[::g]/",
      "http://a<b",
      "http://x.test/\xff",
      "http://x.test/" + std::string(kMaxUrlLength, 'a'),
  };
  for (const std::string& url : urls) {
    const auto checked = CheckWebUrl(url);
    ASSERT_FALSE(checked) << url;
    EXPECT_EQ(checked.error().code(), ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace falconer::model
