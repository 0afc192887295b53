#include "model/token_estimate.h"

#include <string>

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

struct CountedText {
  const char* text;
  std::size_t real;  // o200k_base
};

// Counted with a real tokenizer.
constexpr CountedText kSamples[] = {
    {"Add to cart", 3},
    {"{\"ref\":\"d3e17\",\"role\":\"button\",\"name\":\"Add to cart\",\"in_view\":true}", 23},
    {"http://127.0.0.1:3321/shop?q=1&id=9f8e2c", 24},
    {"act_3fa94be10c77d2e8ba01c6f2", 19},
    {"The form could not be sent: the e-mail address is missing.", 14},
    {"{\"op\":\"update\",\"ref\":\"d12e4\",\"set\":{\"value_hint\":\"Grace "
     "Hopper\",\"focused\":true}}",
     24},
    {"POSTCONDITION_FAILED", 4},
    {"请输入您的电子邮件地址以继续。", 8},
    {"Пожалуйста, введите адрес", 7},
    {"メールアドレスを入力してください", 7},
    {"Straßenbahnhaltestelle", 7},
    {"1234567890.55 EUR", 7},
    {"2026-11-15T11:05:23Z", 13},
    {"const a=b=>({...b,[c]:d?.e??f});", 15},
    {"😀👍🎉", 4},
    {"q83vEjRWeJq83vEjRWeJASNFZ4mrze8=", 22},
};

TEST(TokenEstimateTest, IsNeverBelowTheRealCountAndNotFarAboveIt) {
  for (const CountedText& sample : kSamples) {
    const std::size_t estimate = EstimateTokens(sample.text);
    EXPECT_GE(estimate, sample.real) << sample.text;
    EXPECT_LE(estimate, sample.real * 2 + 2) << sample.text;
  }
}

TEST(TokenEstimateTest, NothingCostsNothing) {
  EXPECT_EQ(EstimateTokens(""), 0u);
}

TEST(TokenEstimateTest, MoreTextNeverCostsLess) {
  const std::string text = "{\"name\":\"Add to cart 12345 ÄÖ 购物车 😀\",\"ref\":\"d3e17\"}   \n";
  std::size_t before = 0;
  for (std::size_t end = 0; end <= text.size(); ++end) {
    const std::size_t now = EstimateTokens(std::string_view(text).substr(0, end));
    EXPECT_GE(now + 1, before) << end;
    before = now;
  }
}

TEST(TokenEstimateTest, BrokenUtf8DoesNoHarm) {
  EXPECT_GT(EstimateTokens("\xff\xfe abc \xe0"), 0u);
}

}  // namespace
}  // namespace falconer::model
