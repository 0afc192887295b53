#include "policy/web_place.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

std::string PlaceText(std::string_view url) {
  const auto place = WebPlaceOf(url);
  return place ? place->host.text + ":" + std::to_string(place->port) : "none";
}

TEST(WebPlaceTest, ReadsHostAndPort) {
  const std::pair<const char*, const char*> cases[] = {
      {"https://example.com/", "example.com:443"},
      {"HTTP://EXAMPLE.com./x", "example.com:80"},
      {"wss://example.com/socket", "example.com:443"},
      {"ws://example.com:8080/", "example.com:8080"},
      {"https://user@example.com:1/", "example.com:1"},
      {"https://[::ffff:8.8.8.8]/", "8.8.8.8:443"},
      {"https://example.com?a=\\b#c\\d", "example.com:443"},
      {"https://other.test#@example.com/", "other.test:443"},
  };
  for (const auto& [url, expected] : cases) EXPECT_EQ(PlaceText(url), expected) << url;
}

// Chromium opens 127.0.0.1 for every one of them: rules must mean that host.
TEST(WebPlaceTest, EveryNumberThatIsAnAddressLeadsThere) {
  for (const char* url : {"http://2130706433/", "http://0x7f000001/", "http://0x7f.1/",
                          "http://0177.0.0.1/", "http://017700000001/", "http://127.1/",
                          "http://127.0.0.1./", "http://[::ffff:127.0.0.1]/"}) {
    EXPECT_EQ(PlaceText(url), "127.0.0.1:80") << url;
  }
}

TEST(WebPlaceTest, WhatReadersDisagreeOnLeadsNowhere) {
  for (const char* url : {"",
                          "example.com",
                          "//example.com",
                          "about:blank",
                          "data:text/html,x",
                          "blob:https://example.com/1",
                          "ftp://example.com/",
                          "https:example.com",
                          "https:/example.com",
                          "https:///example.com",
                          "https://",
                          "https://example.com\\@other.test/",
                          "https://example.com/a\\b",
                          "https://exam\tple.com/",
                          " https://example.com/",
                          "https://example.com/ x",
                          "https://example.com:0/",
                          "https://example.com:99999/",
                          "https://example.com:x/",
                          "https://example%2ecom/",
                          "https://1.2.3.256/",
                          "https://[::1/"}) {
    EXPECT_EQ(PlaceText(url), "none") << url;
  }
}

}  // namespace
}  // namespace falconer::policy
