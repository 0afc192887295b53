#include "model/approval/approval_record.h"

#include <gtest/gtest.h>

#include "tests/support/sample_approval.h"

namespace falconer::model {
namespace {

const WallTime kAsked{std::chrono::hours(24 * 365 * 50)};

struct ApproverCase {
  std::string_view what;
  std::string approver;
  ApproverRank rank = ApproverRank::kHuman;
  ApprovalAnswer answer = ApprovalAnswer::kApprove;
  ApproverRank needed = ApproverRank::kHuman;
  std::vector<std::string> named;
  std::optional<ErrorCode> refused;
};

TEST(ApprovalRecordTest, LetsOnlyThoseApproveWhoMay) {
  using enum ApproverRank;
  using enum ApprovalAnswer;
  const ApproverCase cases[] = {
      {"anybody", "ann", kHuman, kApprove, kHuman, {}, std::nullopt},
      {"the agent", "shopper", kHuman, kApprove, kHuman, {}, ErrorCode::kPolicyDenied},
      {"the agent by another case",
       " Shopper ",
       kHuman,
       kApprove,
       kHuman,
       {},
       ErrorCode::kPolicyDenied},
      {"the agent by other marks and widths",
       "Ｓhöpper\u200b",
       kAdmin,
       kApprove,
       kHuman,
       {},
       ErrorCode::kPolicyDenied},
      {"the agent by letters that look alike",
       "\u0455h\u043e\u0440\u0440\u0435r",
       kAdmin,
       kApprove,
       kHuman,
       {},
       ErrorCode::kPolicyDenied},
      {"the agent by letters of mathematics",
       "\U0001d42chopper",
       kAdmin,
       kApprove,
       kHuman,
       {},
       ErrorCode::kPolicyDenied},
      {"a name that is not seen", "\u200b", kHuman, kDeny, kHuman, {}, ErrorCode::kInvalidArgument},
      {"nearly one who is named",
       "änn",
       kHuman,
       kApprove,
       kHuman,
       {"ann"},
       ErrorCode::kPolicyDenied},
      {"a rank too low", "ann", kHuman, kApprove, kManager, {}, ErrorCode::kPolicyDenied},
      {"a rank above", "ann", kAdmin, kApprove, kManager, {}, std::nullopt},
      {"one who is named", "Ann", kHuman, kApprove, kHuman, {"ann", "bob"}, std::nullopt},
      {"one who is not named", "eve", kAdmin, kApprove, kHuman, {"ann"}, ErrorCode::kPolicyDenied},
      {"nobody", "  ", kHuman, kApprove, kHuman, {}, ErrorCode::kInvalidArgument},
      {"a name of two lines", "a\x01n", kHuman, kDeny, kHuman, {}, ErrorCode::kInvalidArgument},
      {"a denial of anybody", "eve", kHuman, kDeny, kAdmin, {"ann"}, std::nullopt},
      {"a denial of who asked", "shopper", kHuman, kDeny, kHuman, {}, std::nullopt},
  };
  for (const ApproverCase& c : cases) {
    ApprovalRequest request = test::SampleApproval(kAsked);
    request.terms.who = c.needed;
    request.terms.approvers = c.named;
    ApprovalDecision decision = test::SampleDecision(request.request_id, c.approver, c.answer);
    decision.rank = c.rank;
    const auto checked = CheckApprover(request, decision);
    EXPECT_EQ(checked.has_value(), !c.refused) << c.what;
    if (!checked && c.refused) {
      EXPECT_EQ(checked.error().code(), *c.refused) << c.what;
    }
  }
}

TEST(ApprovalRecordTest, RefusesReasonsThatAreTooLong) {
  const ApprovalRequest request = test::SampleApproval(kAsked);
  ApprovalDecision decision = test::Denying(request.request_id, "ann");
  decision.reason = std::string(kMaxApprovalReason + 1, 'x');
  EXPECT_FALSE(CheckApprover(request, decision));
  decision.reason.pop_back();
  EXPECT_TRUE(CheckApprover(request, decision));
}

TEST(ApprovalRecordTest, TellsTheDecisionsInTheWordsOfTheInterface) {
  ApprovalRecord record{
      .request = test::SampleApproval(kAsked),
      .state = ApprovalState::kDenied,
      .decisions = {test::Approving("apr_1", "ann"), test::Denying("apr_1", "bob")},
      .end_reason = "denied by bob",
      .ended = kAsked + std::chrono::seconds(5)};
  record.decisions[1].rank = ApproverRank::kManager;
  const json::object out = record.ToJson();
  EXPECT_EQ(TextAt(out, "state"), "denied");
  EXPECT_EQ(out.at("approvals"), 1);
  const json::object& second = out.at("decisions").as_array()[1].as_object();
  EXPECT_EQ(TextAt(second, "decided_by"), "manager");
  EXPECT_FALSE(IsTrueAt(second, "approved"));
  EXPECT_EQ(TextAt(out, "end_reason"), "denied by bob");
}

}  // namespace
}  // namespace falconer::model
