#include "model/contract/policies.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

using std::chrono::milliseconds;

Result<RetryPolicy> Retry(std::string_view text) {
  return ReadJson(*ParseJson(text), "retry", ReadRetryPolicy, ErrorCode::kInvalidContract);
}

std::vector<std::int64_t> Backoffs(const RetryPolicy& policy, int attempts) {
  std::vector<std::int64_t> out;
  for (int n = 1; n <= attempts; ++n) out.push_back(policy.BackoffBefore(n).count());
  return out;
}

TEST(TimeoutPolicyTest, HasTheDefaultsOfTheSeed) {
  const TimeoutPolicy policy;
  EXPECT_EQ(policy.total, milliseconds(30'000));
  EXPECT_EQ(policy.bind, milliseconds(5'000));
  EXPECT_EQ(policy.execute, milliseconds(10'000));
  EXPECT_EQ(policy.wait, milliseconds(10'000));
  EXPECT_EQ(policy.verify, milliseconds(5'000));
  EXPECT_TRUE(policy.ToJson().empty());
}

TEST(TimeoutPolicyTest, SurvivesTheWayThereAndBack) {
  const json::value text =
      *ParseJson(R"({"total_ms":1,"bind_ms":2,"execute_ms":3,"wait_ms":4,"verify_ms":600000})");
  const auto policy = ReadJson(text, "timeout", ReadTimeoutPolicy);
  ASSERT_TRUE(policy) << Describe(policy.error());
  EXPECT_EQ(json::value(policy->ToJson()), text);
  for (const char* bad :
       {R"({"total_ms":0})", R"({"wait_ms":600001})", R"({"bind_ms":"1s"})", R"({"idle_ms":1})"}) {
    EXPECT_FALSE(ReadJson(*ParseJson(bad), "timeout", ReadTimeoutPolicy)) << bad;
  }
  EXPECT_EQ(TimeoutPolicy{.bind = milliseconds(0)}.Validate().error().message(),
            "bind_ms: must be between 1 and 600000");
}

TEST(RetryPolicyTest, EachProfileHasItsOwnNumbers) {
  EXPECT_EQ(Backoffs(*Retry("{}"), 6), (std::vector<std::int64_t>{0, 250, 500, 1000, 2000, 2000}));
  const auto abos = Retry(R"({"profile":"abos"})");
  EXPECT_EQ(abos->max_attempts, 4);
  EXPECT_EQ(Backoffs(*abos, 6), (std::vector<std::int64_t>{0, 1000, 2000, 4000, 8000, 10'000}));
  EXPECT_TRUE(abos->IsRetryable(ErrorCode::kKernelError));
  EXPECT_TRUE(abos->IsRetryable(ErrorCode::kElementNotFound));
  EXPECT_FALSE(abos->IsRetryable(ErrorCode::kWaitTimeout));
  const auto gnosis = Retry(R"({"profile":"gnosis"})");
  EXPECT_EQ(gnosis->max_attempts, 2);
  EXPECT_EQ(Backoffs(*gnosis, 4), (std::vector<std::int64_t>{0, 250, 250, 250}));
  EXPECT_TRUE(gnosis->IsRetryable(ErrorCode::kWaitTimeout));
}

TEST(RetryPolicyTest, RowsFollowTheEnumeration) {
  for (const auto& [profile, name] : kRetryProfiles) {
    EXPECT_EQ(RetryPolicy::Of(profile).profile, profile) << name;
    EXPECT_TRUE(RetryPolicy::Of(profile).Validate()) << name;
  }
}

TEST(RetryPolicyTest, BackoffNeverPassesItsLimit) {
  RetryPolicy policy{.initial_backoff = milliseconds(5'000), .max_backoff = milliseconds(1'000)};
  EXPECT_EQ(policy.BackoffBefore(2), milliseconds(1'000));
  policy = {.initial_backoff = milliseconds(60'000),
            .max_backoff = milliseconds(60'000),
            .multiplier = 10};
  EXPECT_EQ(policy.BackoffBefore(1'000'000), milliseconds(60'000));
  policy.initial_backoff = milliseconds(0);
  EXPECT_EQ(policy.BackoffBefore(1'000), milliseconds(0));
}

TEST(RetryPolicyTest, WhatIsGivenWinsOverTheProfile) {
  const auto policy = Retry(R"({"profile":"abos","max_attempts":2,"retryable_codes":["TIMEOUT"]})");
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->max_attempts, 2);
  EXPECT_EQ(policy->initial_backoff, milliseconds(1'000));
  EXPECT_EQ(json::value(policy->ToJson()),
            *ParseJson(R"({"profile":"abos","max_attempts":2,"retryable_codes":["TIMEOUT"]})"));
}

TEST(RetryPolicyTest, TheOrderOfCodesDoesNotMatter) {
  const auto one = Retry(R"({"retryable_codes":["TIMEOUT","WAIT_TIMEOUT","TIMEOUT"]})");
  const auto other = Retry(R"({"retryable_codes":["WAIT_TIMEOUT","TIMEOUT"]})");
  EXPECT_EQ(*one, *other);
  const auto usual = Retry(
      R"({"retryable_codes":["TARGET_BIND_FAILED","WAIT_TIMEOUT","ACTION_EXECUTION_FAILED"]})");
  EXPECT_TRUE(usual->ToJson().empty());
}

TEST(RetryPolicyTest, NamesTheFieldThatIsWrong) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"profile":"hasty"})", "retry.profile: expected one of default, abos, gnosis"},
      {R"({"max_attempts":0})", "retry.max_attempts: must be between 1 and 10, is 0"},
      {R"({"initial_backoff_ms":60001})",
       "retry.initial_backoff_ms: must be between 0 and 60000, is 60001"},
      {R"({"multiplier":0.5})", "retry.multiplier: must be between 1 and 10, is 0.5"},
      {R"({"retryable_codes":["TIMEOUT","OOPS"]})",
       "retry.retryable_codes[1]: is not a known code"},
  };
  for (const auto& [text, why] : cases) {
    const auto policy = Retry(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_EQ(policy.error().message(), why);
    EXPECT_EQ(policy.error().code(), ErrorCode::kInvalidContract);
  }
}

TEST(EscalationPolicyTest, SurvivesTheWayThereAndBack) {
  EXPECT_TRUE(EscalationPolicy().ToJson().empty());
  for (const auto& [mode, name] : kEscalationModes) {
    const json::object text{{"on_exhausted_retries", name}, {"on_non_retryable", name}};
    const auto policy = ReadJson(text, "escalation", ReadEscalationPolicy);
    ASSERT_TRUE(policy);
    EXPECT_EQ(policy->on_exhausted_retries, mode);
    EXPECT_EQ(policy->on_non_retryable, mode);
    EXPECT_EQ(*ReadJson(policy->ToJson(), "", ReadEscalationPolicy), *policy);
  }
  EXPECT_FALSE(ReadJson(*ParseJson(R"({"on_non_retryable":"panic"})"), "", ReadEscalationPolicy));
}

}  // namespace
}  // namespace falconer::model
