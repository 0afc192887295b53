#include "model/approval/approval_request.h"

#include <functional>

#include <gtest/gtest.h>

#include "tests/support/sample_approval.h"

namespace falconer::model {
namespace {

using namespace std::chrono_literals;

const WallTime kNow{std::chrono::hours(24 * 365 * 50)};

TEST(ApprovalRequestTest, IsTheSameAfterWritingAndReading) {
  const ApprovalRequest request = test::SampleApproval(kNow);
  const auto text = json::serialize(request.ToJson());
  const auto again = ApprovalRequest::FromJson(*ParseJson(text));
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, request);
}

TEST(ApprovalRequestTest, ReadsWhatOlderVersionsWrote) {
  const ApprovalRequest request = test::SampleApproval(kNow);
  json::object old = request.ToJson();
  old["agent_name"] = "shopper";
  old["subject"] = "carol";
  const auto again = ApprovalRequest::FromJson(old);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, request);
}

TEST(ApprovalRequestTest, WritesTheNamesThatCallersKnow) {
  const json::object out = test::SampleApproval(kNow).ToJson();
  EXPECT_EQ(TextAt(out, "action_type"), "purchase");
  EXPECT_EQ(TextAt(out, "risk_level"), "high");
  EXPECT_EQ(json::serialize(out.at("amount")), R"({"value":"49","currency":"USD"})");
  EXPECT_EQ(TextAt(out.at("terms").as_object(), "who"), "human");
  EXPECT_EQ(TextAt(out.at("preview").as_object(), "form"), "multipart");
}

TEST(ApprovalRequestTest, LeavesOutWhatIsNotThere) {
  ApprovalRequest request = test::SampleApproval(kNow);
  request.preview.reset();
  request.amount.reset();
  request.call.clear();
  const json::object out = request.ToJson();
  EXPECT_FALSE(out.contains("preview"));
  EXPECT_FALSE(out.contains("amount"));
  EXPECT_FALSE(out.contains("call"));
  const auto again = ApprovalRequest::FromJson(out);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, request);
}

TEST(ApprovalRequestTest, RefusesWhatIsWrongByItsName) {
  struct Case {
    std::string_view field;
    std::function<void(ApprovalRequest&)> spoil;
  };
  const Case cases[] = {
      {"request_id", [](ApprovalRequest& r) { r.request_id = "apr_123"; }},
      {"request_id", [](ApprovalRequest& r) { r.request_id[5] = 'X'; }},
      {"tenant", [](ApprovalRequest& r) { r.tenant = TenantId(); }},
      {"agent_id", [](ApprovalRequest& r) { r.agent_id.clear(); }},
      {"description", [](ApprovalRequest& r) { r.description.clear(); }},
      {"digest", [](ApprovalRequest& r) { r.digest = "abc"; }},
      {"terms.count", [](ApprovalRequest& r) { r.terms.count = 0; }},
      {"terms.count",
       [](ApprovalRequest& r) {
         r.terms.count = 2;
         r.terms.approvers = {"ann"};
       }},
      {"expires_ms", [](ApprovalRequest& r) { r.expires = r.asked; }},
  };
  for (const Case& c : cases) {
    ApprovalRequest request = test::SampleApproval(kNow);
    c.spoil(request);
    const auto checked = request.Validate();
    ASSERT_FALSE(checked) << c.field;
    EXPECT_EQ(checked.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_TRUE(checked.error().message().contains(c.field)) << checked.error().message();
  }
}

TEST(ApprovalRequestTest, RefusesFieldsThatNobodyKnows) {
  json::object out = test::SampleApproval(kNow).ToJson();
  out["approved"] = true;
  const auto read = ApprovalRequest::FromJson(out);
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().message().contains("approved")) << read.error().message();
}

TEST(ApprovalRequestTest, GivesEachRequestAnIdOfItsOwn) {
  const std::string id = NewApprovalId();
  EXPECT_TRUE(IsApprovalId(id)) << id;
  EXPECT_NE(id, NewApprovalId());
  EXPECT_FALSE(IsApprovalId("apr_"));
  EXPECT_FALSE(IsApprovalId("act_0123456789abcdef01234567"));
}

}  // namespace
}  // namespace falconer::model
