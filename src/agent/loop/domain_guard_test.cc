#include "agent/loop/domain_guard.h"

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

// "allowed", or why not.
std::string Verdict(const json::object& arguments) {
  const auto guard = DomainGuard::Of(
      {.house_domains = {"*.example.com", "127.0.0.1"}, .allowed_domains = {"shop.example.com"}});
  const auto checked = guard->Check(arguments);
  if (checked) return "allowed";
  EXPECT_EQ(checked.error().code(), ErrorCode::kPolicyDenied);
  return checked.error().message();
}

TEST(DomainGuardTest, HoldsEveryAddressAgainstBothLists) {
  EXPECT_EQ(Verdict({{"url", "https://shop.example.com/a"}}), "allowed");
  EXPECT_EQ(Verdict({{"url", "shop.example.com/a"}}), "allowed") << "https is meant";
  EXPECT_EQ(Verdict({{"url", "about:blank"}}), "allowed");
  EXPECT_EQ(Verdict({{"url", "https://www.example.com/"}}),
            "www.example.com is not among the domains of this run");
  EXPECT_EQ(Verdict({{"url", "http://127.0.0.1/"}}),
            "127.0.0.1 is not among the domains of this run");
}

TEST(DomainGuardTest, FindsAddressesAtAnyDepth) {
  EXPECT_NE(Verdict({{"urls", {"https://shop.example.com/", "https://evil.example/"}}}), "allowed");
  EXPECT_NE(Verdict({{"steps", {{{"image_url", "https://evil.example/"}}}}}), "allowed");
  EXPECT_EQ(Verdict({{"text", "https://evil.example/"}}), "allowed") << "typed, not opened";
}

TEST(DomainGuardTest, RefusesWhatCannotBeRead) {
  for (const char* url : {"https://shop.example.com@evil.example/", "javascript:alert(1)",
                          "file:///etc/passwd", "https:\\\\evil.example", "https://"})
    EXPECT_NE(Verdict({{"url", url}}), "allowed") << url;
}

TEST(DomainGuardTest, WithoutListsEverythingIsThePolicysToSay) {
  const auto guard = DomainGuard::Of({});
  EXPECT_TRUE(guard->Check({{"url", "https://anywhere.example/"}}));
  EXPECT_FALSE(DomainGuard::Of({.allowed_domains = {"not a host"}}));
}

}  // namespace
}  // namespace falconer::agent
