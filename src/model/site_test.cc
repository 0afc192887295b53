#include "model/site.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

struct SiteRow {
  std::string_view host;
  std::string_view site;
};

TEST(SiteTest, IsWhatSomebodyRegistered) {
  constexpr SiteRow kRows[] = {
      {"example.com", "example.com"},
      {"a.b.example.com", "example.com"},
      {"www.one.co.uk", "one.co.uk"},
      {"co.uk", "co.uk"},
      {"uk", "uk"},
      {"www.alice.github.io", "alice.github.io"},
      {"github.io", "github.io"},
      {"www.city.kobe.jp", "city.kobe.jp"},  // an exception to "*.kobe.jp"
      {"a.b.c.kobe.jp", "b.c.kobe.jp"},
      {"login.shop.test", "shop.test"},  // of a suffix that nobody lists
      {"example.com.", "example.com"},
      {"localhost", "localhost"},
      {"app.localhost", "app.localhost"},
      {"", ""},
  };
  for (const SiteRow& row : kRows) EXPECT_EQ(SiteOf(row.host), row.site) << row.host;
}

TEST(SiteTest, OfAnAddressIsTheAddress) {
  for (const char* host : {"127.0.0.1", "10.0.0.1", "[::1]", "[2001:db8::7]", "::1"})
    EXPECT_EQ(SiteOf(host), host);
}

TEST(SiteTest, KnowsNamesOfOtherAlphabets) {
  EXPECT_EQ(SiteOf("www.xn--85x722f.xn--55qx5d.cn"), "xn--85x722f.xn--55qx5d.cn");
  EXPECT_EQ(SiteOf("xn--55qx5d.cn"), "xn--55qx5d.cn");
  EXPECT_EQ(SiteOf("www.食狮.公司.cn"), "食狮.公司.cn");
  EXPECT_EQ(SiteOf("shop.xn--mller-kva.de"), "xn--mller-kva.de");
}

TEST(SiteTest, IsOneForHostsOfOneParty) {
  EXPECT_TRUE(AreOfOneSite("a.example.com", "b.example.com"));
  EXPECT_TRUE(AreOfOneSite("www.one.co.uk", "one.co.uk"));
  EXPECT_TRUE(AreOfOneSite("localhost", "localhost"));
  EXPECT_FALSE(AreOfOneSite("a.example.com", "example.org"));
  EXPECT_FALSE(AreOfOneSite("one.co.uk", "two.co.uk"));
  EXPECT_FALSE(AreOfOneSite("alice.github.io", "bob.github.io"));
  EXPECT_FALSE(AreOfOneSite("10.0.0.1", "11.0.0.1"));
  EXPECT_FALSE(AreOfOneSite("[::1]", "[::2]"));
}

}  // namespace
}  // namespace falconer::model
