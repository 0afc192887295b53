#include "engine/approvals/approval_draft.h"

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

using namespace std::chrono_literals;
using C = model::Capability;

const std::string kDraftDigest(64, 'd');

ApprovalAsker Asker() {
  return {.tenant = TenantId("acme"),
          .agent_id = "shopper",
          .workflow = WorkflowId("w"),
          .session = SessionId("s"),
          .turn = TurnId("t"),
          .action = ActionId("act_1"),
          .call = "call-1"};
}

policy::PolicyDecision Deciding() {
  policy::PolicyDecision decision;
  decision.matched = {{.name = "let", .effect = policy::Effect::kAllow},
                      {.name = "buying", .effect = policy::Effect::kRequireApproval}};
  decision.approval = policy::ApprovalTerms{.who = model::ApproverRank::kManager,
                                            .count = 2,
                                            .timeout = 5min,
                                            .approvers = {"ann", "bob"},
                                            .message = "ask jane.roe@example.com"};
  return decision;
}

TEST(ApprovalDraftTest, SaysOfAHeldRequestWhatPeopleNeed) {
  policy::Risk risk{.level = model::RiskLevel::kHigh,
                    .capabilities = {C::kPurchase, C::kSubmit},
                    .amount = model::Money{.ten_thousandths = 125'000, .currency = "EUR"},
                    .reasons = {{.code = "order_made", .text = "it makes an order"}}};
  const HeldBytes held{.method = "POST",
                       .url = "https://shop.example/orders",
                       .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                       .body = "item=7&password=hunter2secret"};
  const auto request =
      DraftForRequest(Asker(), GroundsOf(risk, Deciding()), held, kDraftDigest, policy::Redactor());
  EXPECT_EQ(request.action_type, model::ApprovalKind::kPurchase);
  EXPECT_EQ(request.description, "Buys something for 12.50 EUR at shop.example");
  EXPECT_EQ(request.http_method, "POST");
  EXPECT_EQ(request.payload_preview, "item=7, password=********");
  EXPECT_EQ(request.triggered_policies, std::vector<std::string>{"buying"});
  EXPECT_EQ(request.risk_reasons, std::vector<std::string>{"it makes an order"});
  EXPECT_EQ(request.digest, kDraftDigest);
  EXPECT_EQ(request.call, "call-1");
  EXPECT_EQ(request.terms.who, model::ApproverRank::kManager);
  EXPECT_EQ(request.terms.count, 2);
  EXPECT_EQ(request.terms.timeout, 5min);
  EXPECT_EQ(request.terms.message, "ask j***@example.com");
}

TEST(ApprovalDraftTest, SaysWhatItLeavesOut) {
  const std::string body = "note=" + std::string(480, 'x') + "&to=attacker&amount=9999";
  const std::string url = "https://bank.example/" + std::string(200, 'p');
  const HeldBytes held{.method = "POST",
                       .url = url,
                       .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                       .body = body};
  policy::Risk risk;
  risk.capabilities = {C::kWrite};
  const auto request =
      DraftForRequest(Asker(), {.risk = risk}, held, kDraftDigest, policy::Redactor());
  EXPECT_TRUE(request.payload_preview.ends_with("… [the first 500 of 511 bytes]"))
      << request.payload_preview;
  EXPECT_TRUE(request.description.contains("…")) << request.description;
  EXPECT_EQ(request.preview->fields.back(), (model::PreviewField{"amount", "9999"}));
}

TEST(ApprovalDraftTest, MasksWhatAnActionSaysOfItself) {
  policy::Risk risk;
  risk.capabilities = {C::kUpload};
  const auto request = DraftForAction(Asker(), {.risk = risk},
                                      {.what = "Upload cv.pdf for jane.roe@example.com",
                                       .url = "https://a.example/?password=hunter2secret",
                                       .digest = kDraftDigest},
                                      policy::Redactor());
  EXPECT_EQ(request.action_type, model::ApprovalKind::kSubmit);
  EXPECT_EQ(request.description, "Upload cv.pdf for j***@example.com");
  EXPECT_FALSE(request.target_url.contains("hunter2secret"));
  EXPECT_EQ(request.preview->form, model::PreviewForm::kAction);
  EXPECT_EQ(request.terms.count, 1);
}

TEST(ApprovalDraftTest, TheGravestCapabilityNamesTheKind) {
  struct Case {
    model::CapabilitySet needs;
    model::ApprovalKind kind;
  };
  const Case cases[] = {{{C::kPurchase, C::kDelete}, model::ApprovalKind::kPurchase},
                        {{C::kDelete, C::kSubmit}, model::ApprovalKind::kDelete},
                        {{C::kAuth, C::kSubmit}, model::ApprovalKind::kAuth},
                        {{C::kDownload}, model::ApprovalKind::kExport},
                        {{C::kWrite}, model::ApprovalKind::kSubmit},
                        {{C::kScript}, model::ApprovalKind::kCustom}};
  for (const Case& c : cases) {
    policy::Risk risk;
    risk.capabilities = c.needs;
    EXPECT_EQ(KindOf(risk), c.kind) << NameIn(model::kApprovalKinds, c.kind);
  }
}

}  // namespace
}  // namespace falconer::engine
