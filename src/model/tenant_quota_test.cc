#include "model/tenant_quota.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(TenantQuotaTest, EveryLimitHasARowOfItsOwn) {
  TenantQuota quota;
  std::uint64_t next = 1;
  for (const QuotaRow& row : kQuotaRows) quota.*row.member = next++;
  EXPECT_EQ(sizeof(quota) / sizeof(std::uint64_t), std::size(kQuotaRows));
  next = 1;
  for (const QuotaRow& row : kQuotaRows) EXPECT_EQ(quota.*row.member, next++) << row.name;
  EXPECT_EQ(QuotaRowNamed("max_metadata_tokens")->member, &TenantQuota::max_metadata_tokens);
  EXPECT_EQ(QuotaRowNamed("max_wishes"), nullptr);
}

TEST(TenantQuotaTest, IsWrittenByName) {
  EXPECT_EQ(json::serialize(TenantQuota().ToJson()),
            R"({"max_concurrent_sessions":10,"max_actions_per_minute":120,)"
            R"("max_artifact_bytes":536870912,"max_step_tokens":1200,)"
            R"("max_state_delta_tokens":500,"max_network_summary_tokens":250,)"
            R"("max_metadata_tokens":250})");
}

}  // namespace
}  // namespace falconer::model
