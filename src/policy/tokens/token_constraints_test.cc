#include "policy/tokens/token_constraints.h"

#include <gtest/gtest.h>

#include "policy/tokens/pattern_overlap.h"
#include "tests/support/token_bench.h"

namespace falconer::policy {
namespace {

json::value Json(std::string_view text) {
  return ParseJson(text).value();
}

TokenConstraints Parsed(std::string_view text) {
  return ParseTokenConstraints(Json(text)).value();
}

std::string Texts(const std::vector<HostPattern>& patterns) {
  std::string out;
  for (const HostPattern& pattern : patterns) out += (out.empty() ? "" : " ") + pattern.text();
  return out;
}

std::string Overlap(std::string_view one, std::string_view other) {
  const std::vector<HostPattern> left{HostPattern::Parse(one).value()};
  const std::vector<HostPattern> right{HostPattern::Parse(other).value()};
  EXPECT_EQ(Texts(OverlapOf(left, right)), Texts(OverlapOf(right, left)));
  return Texts(OverlapOf(left, right));
}

TEST(TokenConstraintsTest, GoThroughJson) {
  const std::string_view text =
      R"({"domains":["shop.example","*.shop.example:8443"],)"
      R"("max_purchase":{"amount":"19.99","currency":"EUR"},"pii_access":false,"time_limit":120,)"
      R"("time_windows":[{"after":"09:00","before":"17:30","days":["mon","fri"],)"
      R"("utc_offset":"-03:30"}]})";
  EXPECT_EQ(json::serialize(ToJson(Parsed(text))), text);
}

TEST(TokenConstraintsTest, APlainNumberIsInTheDefaultCurrency) {
  EXPECT_EQ(Parsed(R"({"max_purchase":19.99})").max_purchase, (model::Money{199'900, "USD"}));
  EXPECT_EQ(ParseTokenConstraints(Json(R"({"max_purchase":500})"), "EUR")->max_purchase,
            (model::Money{5'000'000, "EUR"}));
}

TEST(TokenConstraintsTest, RefusesWhatIsNoLimitOrNotKnown) {
  for (const std::string_view text :
       {R"([])",
        R"({"domains":null})",
        R"({"domains":"a.example"})",
        R"({"domains":[1]})",
        R"({"domains":["a*.example"]})",
        R"({"max_purchase":null})",
        R"({"max_purchase":"ten"})",
        R"({"max_purchase":-1})",
        R"({"max_purchase":1e30})",
        R"({"max_purchase":0.00001})",
        R"({"max_purchase":{"amount":1}})",
        R"({"max_purchase":{"amount":1,"currency":"usd"}})",
        R"({"max_purchase":{"amount":1,"currency":"USD","x":1}})",
        R"({"pii_access":"no"})",
        R"({"pii_access":null})",
        R"({"time_limit":0})",
        R"({"time_limit":1.5})",
        R"({"time_limit":"60"})",
        R"({"time_windows":[{"after":"9:00","before":"10:00"}]})",
        R"({"time_windows":[{"after":"09:00","before":"09:00"}]})",
        R"({"time_windows":[{"after":"09:00","before":"24:00"}]})",
        R"({"time_windows":[{"after":"09:00","before":"10:00","days":[]}]})",
        R"({"time_windows":[{"after":"09:00","before":"10:00","utc_offset":"+15:00"}]})",
        R"({"time_windows":{}})",
        R"({"max_purchases":1})"}) {
    EXPECT_FALSE(ParseTokenConstraints(Json(text))) << text;
  }
}

TEST(TokenWindowTest, HoldsOnItsDaysAndInItsHours) {
  const TokenWindow day =
      Parsed(R"({"time_windows":[{"after":"09:00","before":"17:00","days":["thu"]}]})")
          .time_windows.front();
  // 1 January 1970 was a Thursday.
  const WallTime start{};
  EXPECT_FALSE(day.Contains(start + std::chrono::minutes(539)));
  EXPECT_TRUE(day.Contains(start + std::chrono::minutes(540)));
  EXPECT_TRUE(day.Contains(start + std::chrono::minutes(1019)));
  EXPECT_FALSE(day.Contains(start + std::chrono::minutes(1020)));
  EXPECT_FALSE(day.Contains(start + std::chrono::hours(24 + 10)));
}

TEST(TokenWindowTest, MayEndOnTheNextDayAndFollowAnOffset) {
  const TokenWindow night =
      Parsed(R"({"time_windows":[{"after":"22:00","before":"06:00","days":["thu"],)"
             R"("utc_offset":"+02:00"}]})")
          .time_windows.front();
  const WallTime start{};
  EXPECT_FALSE(night.Contains(start + std::chrono::hours(19)));
  EXPECT_TRUE(night.Contains(start + std::chrono::hours(20)));
  EXPECT_TRUE(night.Contains(start + std::chrono::hours(27)));
  EXPECT_FALSE(night.Contains(start + std::chrono::hours(28)));
  EXPECT_FALSE(night.Contains(start + std::chrono::hours(1))) << "that is Wednesday's night";
}

TEST(PatternOverlapTest, IsTheNarrowerOneOrNothing) {
  EXPECT_EQ(Overlap("a.example", "a.example"), "a.example");
  EXPECT_EQ(Overlap("a.example", "b.example"), "");
  EXPECT_EQ(Overlap("*.example", "a.example"), "a.example");
  EXPECT_EQ(Overlap("*.example", "example"), "");
  EXPECT_EQ(Overlap("*.b.example", "*.example"), "*.b.example");
  EXPECT_EQ(Overlap("*.b.example", "*.a.example"), "");
  EXPECT_EQ(Overlap("*", "*.a.example"), "*.a.example");
  EXPECT_EQ(Overlap("*", "*"), "*");
  EXPECT_EQ(Overlap("A.Example", "a.example"), "a.example");
  EXPECT_EQ(Overlap("xb.example", "*.b.example"), "");
}

TEST(PatternOverlapTest, OfNetworksIsTheSmallerOne) {
  EXPECT_EQ(Overlap("10.0.0.0/8", "10.1.0.0/16"), "10.1.0.0/16");
  EXPECT_EQ(Overlap("10.0.0.0/8", "10.1.2.3:80"), "10.1.2.3:80");
  EXPECT_EQ(Overlap("10.0.0.0/8", "[::ffff:10.1.2.3]"), "10.1.2.3");
  EXPECT_EQ(Overlap("10.0.0.0/8", "192.168.0.0/16"), "");
  EXPECT_EQ(Overlap("10.0.0.0/8", "*"), "");
  EXPECT_EQ(Overlap("10.0.0.0/8", "*.example"), "");
  EXPECT_EQ(Overlap("169.254.0.0/16", "169.254.169.254"), "") << "it must be named itself";
}

TEST(PatternOverlapTest, KeepsPortsAndNeverWidensToPrivateHosts) {
  EXPECT_EQ(Overlap("a.example:8443", "*.example"), "a.example:8443");
  EXPECT_EQ(Overlap("a.example:8443", "a.example:443"), "");
  EXPECT_EQ(Overlap("*:443", "a.example"), "a.example:443");
  EXPECT_EQ(Overlap("*", "*.com"), "*.com");
  EXPECT_EQ(Overlap("*", "127.0.0.1"), "");
  EXPECT_EQ(Overlap("*", "*.internal"), "");
  EXPECT_EQ(Overlap("*", "[::1]:80"), "");
  EXPECT_EQ(Overlap("[::1]", "[::1]:80"), "[::1]:80");
}

TEST(NarrowerTest, TakesTheSmallerOfEachLimit) {
  const TokenConstraints one =
      Parsed(R"({"domains":["*.example"],"max_purchase":100,"pii_access":true,"time_limit":60})");
  const TokenConstraints other = Parsed(
      R"({"domains":["a.example","b.test"],"max_purchase":50,"pii_access":false,"time_limit":90,)"
      R"("time_windows":[{"after":"09:00","before":"10:00"}]})");

  const auto both = Narrower(one, other);

  ASSERT_TRUE(both) << both.error().message();
  EXPECT_EQ(Texts(*both->domains), "a.example");
  EXPECT_EQ(both->max_purchase, (model::Money{500'000, "USD"}));
  EXPECT_EQ(both->pii_access, false);
  EXPECT_EQ(both->time_limit, std::chrono::seconds(60));
  EXPECT_EQ(both->time_windows.size(), 1U);
}

TEST(NarrowerTest, WhatOnlyOneLimitsStaysLimitedAndNothingInCommonAllowsNothing) {
  const auto kept = Narrower(Parsed(R"({"domains":["a.example"]})"), TokenConstraints());
  ASSERT_TRUE(kept);
  EXPECT_EQ(Texts(*kept->domains), "a.example");
  const auto none =
      Narrower(Parsed(R"({"domains":["a.example"]})"), Parsed(R"({"domains":["b.example"]})"));
  ASSERT_TRUE(none);
  ASSERT_TRUE(none->domains);
  EXPECT_TRUE(none->domains->empty());
}

TEST(NarrowerTest, DoesNotCompareCurrencies) {
  const auto both = Narrower(Parsed(R"({"max_purchase":100})"),
                             Parsed(R"({"max_purchase":{"amount":100,"currency":"EUR"}})"));
  EXPECT_EQ(test::ReasonOf(both), "currency_other");
}

}  // namespace
}  // namespace falconer::policy
