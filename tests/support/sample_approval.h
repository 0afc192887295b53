#pragma once
// An approval request that is whole, for tests to change.

#include <string>

#include "model/approval/approval_record.h"

namespace falconer::test {

inline model::ApprovalRequest SampleApproval(WallTime now, std::string id = "") {
  model::ApprovalRequest request{
      .request_id = id.empty() ? model::NewApprovalId() : std::move(id),
      .tenant = TenantId("acme"),
      .agent_id = "shopper",
      .workflow = WorkflowId("w1"),
      .session = SessionId("s1"),
      .turn = TurnId("s1.t000001"),
      .action_id = ActionId("act_0123456789abcdef01234567"),
      .call = "call-1",
      .owner = "boot.1:77:5",
      .action_type = model::ApprovalKind::kPurchase,
      .description = "Buys something for 49 USD at shop.example",
      .target_url = "https://shop.example/orders",
      .http_method = "POST",
      .payload_preview = "item=7, card=****-****-****-4242",
      .amount = model::Money{.ten_thousandths = 490'000, .currency = "USD"},
      .triggered_policies = {"buying"},
      .risk_level = model::RiskLevel::kHigh,
      .risk_reasons = {"it makes an order"},
      .digest = std::string(64, 'a'),
      .asked = now,
      .expires = now + std::chrono::minutes(10)};
  request.preview = model::RequestPreview{.method = "POST",
                                          .url = "https://shop.example/orders",
                                          .headers = {{"Content-Type", "text/plain"}},
                                          .form = model::PreviewForm::kMultipart,
                                          .body_bytes = 12,
                                          .body_sha256 = std::string(64, 'b'),
                                          .fields = {{"item", "7"}},
                                          .files = {{.field = "f",
                                                     .name = "a.txt",
                                                     .content_type = "text/plain",
                                                     .bytes = 3,
                                                     .sha256 = std::string(64, 'c')}},
                                          .body = "item=7",
                                          .masked = 1,
                                          .effect = "Buys something"};
  return request;
}

inline model::ApprovalDecision SampleDecision(const std::string& id, std::string approver,
                                              model::ApprovalAnswer answer) {
  return {.request_id = id,
          .answer = answer,
          .approver = std::move(approver),
          .channel = "test",
          .reason = ""};
}

inline model::ApprovalDecision Approving(const std::string& id, std::string approver) {
  return SampleDecision(id, std::move(approver), model::ApprovalAnswer::kApprove);
}

inline model::ApprovalDecision Denying(const std::string& id, std::string approver) {
  return SampleDecision(id, std::move(approver), model::ApprovalAnswer::kDeny);
}

}  // namespace falconer::test
