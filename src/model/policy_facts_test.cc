#include "model/policy_facts.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(MoneyTest, ReadsDecimalNumbersExactly) {
  EXPECT_EQ(ParseTenThousandths("12.5"), 125'000);
  EXPECT_EQ(ParseTenThousandths("0.0001"), 1);
  EXPECT_EQ(ParseTenThousandths("-3"), -30'000);
  EXPECT_EQ(ParseTenThousandths("922337203685477.5807"), 9'223'372'036'854'775'807);
}

TEST(MoneyTest, RefusesWhatIsNoNumberOrDoesNotFit) {
  for (const char* text : {"", ".", "1.", ".5", "1,5", "1e3", "0x1", "1.00001", "1 ", "nan",
                           "922337203685477.5808", "99999999999999999999"}) {
    EXPECT_EQ(ParseTenThousandths(text), std::nullopt) << text;
  }
}

TEST(MoneyTest, ShowsNoDigitsThatSayNothing) {
  EXPECT_EQ((Money{125'000, "USD"}).ToText(), "12.50 USD");
  EXPECT_EQ((Money{30'000, "JPY"}).ToText(), "3 JPY");
  EXPECT_EQ((Money{1'250, ""}).ToText(), "0.125");
  EXPECT_EQ((Money{-5'000, "EUR"}).ToText(), "-0.50 EUR");
}

TEST(MoneyTest, KnowsTheFormOfACurrencyCode) {
  EXPECT_TRUE(IsCurrencyCode("EUR"));
  for (const char* text : {"", "eur", "EU", "EURO", "E1R", "$"}) {
    EXPECT_FALSE(IsCurrencyCode(text)) << text;
  }
}

TEST(PolicyFactsTest, SurviveJsonWithoutWhatIsPrivate) {
  PolicyFacts facts;
  facts.tenant = "acme";
  facts.agent = "shopper";
  facts.agent_tier = "gold";
  facts.began = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'700'000'000'123));
  facts.capabilities = {Capability::kInteract, Capability::kPurchase};
  facts.action = ActionType::kClick;
  facts.url = "https://a.com/x";
  facts.page_url = "https://b.com/";
  facts.amount = Money{125'000, "USD"};
  facts.risk = RiskLevel::kHigh;
  facts.now = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'790'000'000'123));
  facts.element = ElementFacts{.role = "button",
                               .name = "Buy",
                               .frame_url = "https://pay.b.com/",
                               .form = FormFacts{.method = "post"}};
  facts.element->form->kinds = {FieldKind::kCardNumber};
  facts.request = RequestFacts{.method = "POST",
                               .method_override = "PUT",
                               .url = "https://a.com/pay",
                               .body_bytes = 12,
                               .is_body_whole = false};

  PolicyFacts private_too = facts;
  private_too.request->body = "card=4111";
  private_too.element->form->fields = {{.name = "card", .value = "4111"}};
  const json::object out = private_too.ToJson();
  EXPECT_FALSE(json::serialize(out).contains("4111"));
  const auto back = PolicyFacts::FromJson(out);
  ASSERT_TRUE(back) << Describe(back.error());
  EXPECT_EQ(*back, facts);
}

TEST(PolicyFactsTest, RefuseWhatIsNoFact) {
  for (const char* text :
       {R"({})", R"({"now_ms":1,"x":1})", R"({"now_ms":1,"capabilities":["FLY"]})",
        R"({"now_ms":1,"action":"fly"})", R"({"now_ms":1,"amount":"5 dollars"})",
        R"({"now_ms":1,"request":{"body":"x"}})",
        R"({"now_ms":1,"element":{"form":{"kinds":["x"]}}})"}) {
    const auto facts = PolicyFacts::FromJson(*ParseJson(text));
    ASSERT_FALSE(facts) << text;
    EXPECT_EQ(facts.error().code(), ErrorCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace falconer::model
