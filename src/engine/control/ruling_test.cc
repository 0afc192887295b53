#include "engine/control/ruling.h"

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

using model::Capability;

policy::VerifiedToken TokenFor(model::CapabilitySet capabilities, const char* constraints = "{}") {
  policy::VerifiedToken token{.claims = {}, .key_name = "k1", .tenant = TenantId("acme")};
  token.claims.agent = AgentId("tester");
  token.claims.tenant = TenantId("acme");
  token.claims.capabilities = capabilities;
  token.claims.constraints = policy::ParseTokenConstraints(ParseJson(constraints).value()).value();
  return token;
}

// A button of a page of shop.test, or of a frame in it.
RulingCase ButtonIn(std::string frame_url, model::CapabilitySet needs = {Capability::kInteract}) {
  RulingCase asked{.about = RulingCase::About::kElement,
                   .risk = {.level = model::RiskLevel::kMedium, .capabilities = needs},
                   .facts = {.tenant = "acme", .agent = "tester"},
                   .sets = {policy::RuleSet::kActions}};
  asked.facts.url = asked.facts.page_url = "https://shop.test/cart";
  asked.facts.element = model::ElementFacts{.role = "button", .frame_url = std::move(frame_url)};
  policy::AddTo(asked.facts, asked.risk);
  return asked;
}

RulingCase Request(std::string method, bool is_place) {
  RulingCase asked{.about = RulingCase::About::kRequest,
                   .risk = {.level = model::RiskLevel::kLow, .capabilities = {}},
                   .facts = {.tenant = "acme", .agent = "tester"},
                   .sets = {policy::RuleSet::kConnect},
                   .is_place = is_place};
  asked.facts.url = "https://shop.test/x";
  asked.facts.request = model::RequestFacts{.method = std::move(method), .url = asked.facts.url};
  return asked;
}

TEST(RulingTest, TheTokensHostsMustCoverTheFrameAndThePage) {
  const auto token = TokenFor({Capability::kInteract}, R"({"domains":["shop.test"]})");
  const RulingLaw law{.token = token};
  EXPECT_EQ(MakeRuling(law, ButtonIn("")).effect, Ruling::Effect::kAllow);
  EXPECT_EQ(MakeRuling(law, ButtonIn("https://shop.test/inner")).effect, Ruling::Effect::kAllow);
  for (const char* frame_url : {"https://pay.test/", "null", "data:text/html,x"}) {
    const Ruling ruling = MakeRuling(law, ButtonIn(frame_url));
    EXPECT_EQ(ruling.effect, Ruling::Effect::kRefuse) << frame_url;
    if (ruling.error) EXPECT_EQ(ruling.error->code(), ErrorCode::kConstraintViolated);
  }
  // A frame that is allowed makes no page so.
  const auto of_frame = TokenFor({Capability::kInteract}, R"({"domains":["pay.test"]})");
  EXPECT_EQ(MakeRuling({.token = of_frame}, ButtonIn("https://pay.test/")).effect,
            Ruling::Effect::kRefuse);
}

TEST(RulingTest, ThePolicyIsAskedAboutTheFrameToo) {
  const auto token = TokenFor({Capability::kInteract});
  const auto policy = policy::Policy::Parse(R"(
policy: {name: shop, version: "1"}
rules:
  - {name: shop, when: {domain: shop.test}, then: allow}
)")
                          .value();
  const RulingLaw law{.token = token, .policy = &policy};
  EXPECT_EQ(MakeRuling(law, ButtonIn("")).effect, Ruling::Effect::kAllow);
  const Ruling framed = MakeRuling(law, ButtonIn("https://pay.test/"));
  EXPECT_EQ(framed.effect, Ruling::Effect::kRefuse);
  if (framed.error) EXPECT_EQ(framed.error->code(), ErrorCode::kPolicyDenied);
}

TEST(RulingTest, WhatAnElementCallsForIsDueWithWhatItSends) {
  const auto token = TokenFor({Capability::kInteract, Capability::kPurchase});
  const RulingLaw law{.token = token, .ask_from = model::RiskLevel::kMedium};
  Ruling element = MakeRuling(law, ButtonIn("", {Capability::kInteract, Capability::kPurchase}));
  EXPECT_EQ(element.effect, Ruling::Effect::kAsk);
  DueWithRequests due;
  due.TakeFrom(element);
  EXPECT_EQ(element.effect, Ruling::Effect::kAllow);
  EXPECT_TRUE(element.used_once.empty());

  Ruling picture = MakeRuling(law, Request("GET", false));
  Ruling page = MakeRuling(law, Request("GET", true));
  Ruling beacon = MakeRuling(law, Request("POST", false));
  for (Ruling* one : {&picture, &page, &beacon}) due.AddTo(*one);
  EXPECT_EQ(picture.effect, Ruling::Effect::kAllow);
  EXPECT_EQ(page.effect, Ruling::Effect::kAsk);
  EXPECT_EQ(beacon.effect, Ruling::Effect::kAsk);
  EXPECT_TRUE(beacon.used_once.Contains(Capability::kPurchase));
}

TEST(RulingTest, WhatIsSentOnAfterAnApprovalIsAskedAboutAgain) {
  const auto token = TokenFor({Capability::kWrite});
  const RulingLaw law{.token = token};
  RulingCase sent_on = Request("POST", true);
  sent_on.again = RulingCase::Again::kSentOn;
  const Ruling ruling = MakeRuling(law, sent_on);
  EXPECT_EQ(MakeRuling(law, Request("POST", true)).effect, Ruling::Effect::kAllow);
  EXPECT_EQ(ruling.effect, Ruling::Effect::kAsk);
  const auto recorded = ReadCase(RulingJson("t1/r1", law, ruling));
  ASSERT_TRUE(recorded) << recorded.error().message();
  EXPECT_EQ(MakeRuling(law, recorded->asked).effect, Ruling::Effect::kAsk);
}

TEST(RulingTest, OneApprovalHasToSatisfyEverybodyWhoAsksForOne) {
  const auto token = TokenFor({Capability::kWrite});
  const auto policy = policy::Policy::Parse(R"(
policy: {name: shop, version: "1"}
rules:
  - name: managers
    when: always
    then: {require_approval: {who: manager, count: 2, timeout: 60s, approvers: [ann, bob]}}
connect:
  - name: anybody
    when: always
    then: {require_approval: {who: human, timeout: 300s}}
)")
                          .value();
  RulingCase asked = Request("POST", false);
  asked.sets = {policy::RuleSet::kConnect, policy::RuleSet::kActions};
  const RulingLaw law{.token = token, .policy = &policy};

  Ruling ruling = MakeRuling(law, asked);

  ASSERT_EQ(ruling.effect, Ruling::Effect::kAsk);
  ASSERT_TRUE(ruling.grounds.terms);
  EXPECT_EQ(ruling.grounds.terms->who, model::ApproverRank::kManager);
  EXPECT_EQ(ruling.grounds.terms->count, 2);
  EXPECT_EQ(ruling.grounds.terms->timeout, std::chrono::seconds(60));
  EXPECT_EQ(ruling.grounds.policies, (std::vector<std::string>{"anybody", "managers"}));
  // Nobody is left who may approve for all of them.
  AskFor({.risk = {}, .policies = {"others"}, .terms = policy::ApprovalTerms{.approvers = {"eve"}}},
         ruling);
  EXPECT_EQ(ruling.effect, Ruling::Effect::kRefuse);
}

TEST(RulingTest, WhatAnEarlierTurnsElementCallsForIsOwed) {
  const auto token = TokenFor({Capability::kInteract, Capability::kDelete, Capability::kWrite});
  const RulingLaw law{.token = token, .ask_from = model::RiskLevel::kMedium};
  Ruling element = MakeRuling(law, ButtonIn("", {Capability::kInteract, Capability::kDelete}));
  DueWithRequests due;
  due.TakeFrom(element);
  DueWithRequests owed;
  owed.Owe(due);

  EXPECT_TRUE(owed.Concerns(Request("POST", false)));
  EXPECT_TRUE(owed.Concerns(Request("GET", true)));
  EXPECT_FALSE(owed.Concerns(Request("GET", false)));
  Ruling request = MakeRuling(law, Request("POST", false));
  EXPECT_EQ(request.effect, Ruling::Effect::kAllow);
  owed.AddTo(request);
  EXPECT_EQ(request.effect, Ruling::Effect::kAsk);
  EXPECT_TRUE(request.is_due);
}

TEST(RulingTest, TheCaseOnRecordGivesTheSameRulingAgain) {
  const auto token = TokenFor({Capability::kInteract}, R"({"domains":["shop.test"]})");
  const RulingLaw law{.token = token, .ask_from = model::RiskLevel::kHigh};
  for (const char* frame_url : {"", "https://pay.test/"}) {
    const Ruling ruling = MakeRuling(law, ButtonIn(frame_url));
    const auto recorded = ReadCase(RulingJson("t1/r1", law, ruling));
    ASSERT_TRUE(recorded) << recorded.error().message();
    EXPECT_EQ(recorded->ask_from, law.ask_from);
    EXPECT_EQ(recorded->asked.urls(), ruling.asked.urls());
    EXPECT_EQ(OutcomeJson(MakeRuling(law, recorded->asked)), OutcomeJson(ruling)) << frame_url;
  }
}

TEST(RulingTest, WhatIsHarmlessIsOnRecordWithoutItsFactsUnlessSomebodyWasAsked) {
  const auto plain = TokenFor({Capability::kInteract});
  const auto limited = TokenFor({Capability::kInteract}, R"({"pii_access":false})");
  const auto lacking = TokenFor({});
  const auto has_facts = [](const RulingLaw& law) {
    return RulingJson("t1/r1", law, MakeRuling(law, ButtonIn(""))).contains("facts");
  };
  EXPECT_FALSE(has_facts({.token = plain}));
  EXPECT_TRUE(has_facts({.token = limited}));
  EXPECT_TRUE(has_facts({.token = lacking}));
  const auto read =
      ReadCase(RulingJson("t1/r1", {.token = plain}, MakeRuling({.token = plain}, ButtonIn(""))));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace falconer::engine
