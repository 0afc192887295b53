#include "kernel/tokens/token_office.h"

#include "policy/tokens/key_folder.h"
#include "tests/support/store_bench.h"

namespace falconer::kernel {
namespace {

using model::Capability;
using test::Finish;

class TokenOfficeTest : public test::StoreBench {
 protected:
  TokenOfficeTest()
      : store_(OpenStore()),
        keys_(policy::KeyFolder(KeysPath()), clock_),
        office_(policy::TokenRules{}, keys_, *store_, clock_,
                [this](std::string event, json::object what) {
                  return Record(std::move(event), std::move(what));
                }) {}

  std::filesystem::path KeysPath() const { return policy::KeyFolder::PathIn(folder_.path()); }
  void MakeKey() {
    ASSERT_TRUE(policy::KeyFolder(KeysPath())
                    .PrimaryOrNew(policy::TokenAlgorithm::kEdDsa, clock_.WallNow()));
  }
  Task<Result<void>> Record(std::string event, json::object what) {
    if (!refusal_.empty()) co_return Fail(ErrorCode::kIoError, refusal_);
    what["event"] = event;
    records_.push_back(std::move(what));
    co_return Result<void>();
  }
  static policy::TokenRequest Reading(std::string agent) {
    return {.agent = AgentId(std::move(agent)),
            .tenant = TenantId("t"),
            .plan = {},
            .capabilities = {Capability::kRead},
            .constraints = {},
            .lifetime = std::nullopt};
  }
  std::string EventAt(std::size_t index) const {
    return index < records_.size() ? TextAt(records_[index], "event") : "";
  }

  std::unique_ptr<store::SqliteStore> store_;
  policy::LiveKeys keys_;
  std::vector<json::object> records_;
  std::string refusal_;
  TokenOffice office_;
};

TEST_F(TokenOfficeTest, WhatIsIssuedIsNotedOnRecordAndInForce) {
  MakeKey();
  const auto made = Finish(office_.Issue(Reading("shopper")));
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_EQ(records_.size(), 1U);
  EXPECT_EQ(EventAt(0), "token_issue");
  EXPECT_EQ(TextAt(records_[0], "token_jti"), made->claims.token_id);
  EXPECT_FALSE(json::serialize(records_[0]).contains(made->token)) << "never the token itself";

  EXPECT_TRUE(Finish(office_.Verify(made->token, {.capabilities = {Capability::kRead}})));
  const auto more = Finish(office_.Verify(made->token, {.capabilities = {Capability::kDelete}}));
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code(), ErrorCode::kCapabilityMissing);
  const auto listed = Finish(office_.List({}));
  ASSERT_TRUE(listed && listed->size() == 1U);
  EXPECT_EQ(TextAt(ToJson(listed->front(), clock_.WallNow()), "standing"), "in_force");
}

TEST_F(TokenOfficeTest, WhatCannotBePutOnRecordIsNotHandedOut) {
  MakeKey();
  refusal_ = "the disk is full";
  const auto made = Finish(office_.Issue(Reading("shopper")));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), ErrorCode::kIoError);
}

TEST_F(TokenOfficeTest, NothingIsIssuedWithoutAKey) {
  const auto made = Finish(office_.Issue(Reading("shopper")));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(records_.empty());
}

TEST_F(TokenOfficeTest, RevokesOneOrAllOfAnAgentOrEverything) {
  MakeKey();
  const auto one = Finish(office_.Issue(Reading("a")));
  const auto other = Finish(office_.Issue(Reading("a")));
  const auto third = Finish(office_.Issue(Reading("b")));
  ASSERT_TRUE(one && other && third);
  const auto is_valid = [this](const Result<policy::MadeToken>& made) {
    return Finish(office_.Verify(made->token, {})).has_value();
  };

  EXPECT_EQ(Finish(office_.Revoke({one->claims.token_id, "lost"})), true);
  EXPECT_FALSE(is_valid(one));
  EXPECT_TRUE(is_valid(other));
  EXPECT_EQ(Finish(office_.RevokeUntilNow({TenantId("t"), AgentId("a"), ""})), 1U);
  EXPECT_FALSE(is_valid(other));
  EXPECT_TRUE(is_valid(third));
  EXPECT_EQ(Finish(office_.RevokeUntilNow({TenantId("t"), AgentId(), ""})), 1U);
  EXPECT_FALSE(is_valid(third));
  EXPECT_EQ(EventAt(3), "token_revoke");
  EXPECT_EQ(EventAt(4), "token_revoke_agent");
  EXPECT_EQ(EventAt(5), "token_revoke_all");
}

TEST_F(TokenOfficeTest, AWholeTokenIsNoId) {
  for (const std::string_view bad : {"", "eyJh.eyJi.c2ln", "a\x01 b"}) {
    const auto revoked = Finish(office_.Revoke({std::string(bad), ""}));
    ASSERT_FALSE(revoked) << bad;
    EXPECT_EQ(revoked.error().code(), ErrorCode::kInvalidArgument);
  }
  EXPECT_TRUE(records_.empty());
}

}  // namespace
}  // namespace falconer::kernel
