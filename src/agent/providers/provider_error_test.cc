#include "agent/providers/provider_error.h"

#include <gtest/gtest.h>

#include "agent/providers/retry_rule.h"

namespace falconer::agent {
namespace {

using std::chrono::milliseconds;

TEST(ProviderErrorTest, EveryClassHasACodeOfItsOwnAndIsFoundAgain) {
  for (const EnumName<ProviderFault>& row : kProviderFaults) {
    const Error error = ProviderFailure(row.value, "x");

    EXPECT_EQ(FaultOf(error), row.value) << row.name;
    EXPECT_EQ(TextAt(error.details(), "class"), row.name);
  }
}

TEST(ProviderErrorTest, ClassesStatusesAndWords) {
  struct ReportCase {
    int status;
    std::vector<std::string> words;
    ErrorCode code;
    std::string_view reason;
  };
  const ReportCase cases[] = {
      {400, {}, ErrorCode::kProviderBlocked, "request_refused"},
      {400, {"content_filter"}, ErrorCode::kProviderBlocked, kContentRefused},
      {400,
       {"context_length_exceeded", "invalid_request_error"},
       ErrorCode::kProviderBlocked,
       "request_too_long"},
      {401,
       {"invalid_api_key", "invalid_request_error"},
       ErrorCode::kProviderBlocked,
       "key_refused"},
      {403, {}, ErrorCode::kProviderBlocked, "key_refused"},
      {404, {"something_new"}, ErrorCode::kProviderBlocked, "unknown_model"},
      {408, {}, ErrorCode::kTimeout, ""},
      {418, {}, ErrorCode::kProviderBlocked, "request_refused"},
      {429, {"rate_limit_exceeded", "requests"}, ErrorCode::kProviderOverloaded, ""},
      {429, {"insufficient_quota"}, ErrorCode::kProviderBlocked, "not_paid"},
      {500, {}, ErrorCode::kProviderError, ""},
      {502, {"api_error"}, ErrorCode::kProviderError, ""},
      {503, {}, ErrorCode::kProviderOverloaded, ""},
      {504, {}, ErrorCode::kTimeout, ""},
      {529, {"overloaded_error"}, ErrorCode::kProviderOverloaded, ""},
      {0, {"overloaded_error"}, ErrorCode::kProviderOverloaded, ""},
      {0, {}, ErrorCode::kProviderError, ""},
      {302, {}, ErrorCode::kProviderAnswerInvalid, ""},
  };
  for (const ReportCase& one : cases) {
    const Error error = ReportedFailure({.status = one.status, .words = one.words});

    EXPECT_EQ(error.code(), one.code) << one.status << " " << error.message();
    EXPECT_EQ(TextAt(error.details(), "reason"), one.reason) << one.status;
  }
}

TEST(ProviderErrorTest, RepeatsWordsOnly) {
  const Error plain = ReportedFailure({.status = 500, .words = {"server_error"}});
  const Error long_talk =
      ReportedFailure({.status = 500, .words = {"the key sk-1 is wrong", "server_error"}});

  EXPECT_EQ(plain.message(), "the provider answered 500 (server_error)");
  EXPECT_EQ(long_talk.message(), plain.message());
}

TEST(ProviderErrorTest, ReadsHowLongToWait) {
  EXPECT_EQ(ParseRetryAfter("20"), milliseconds(20'000));
  EXPECT_EQ(ParseRetryAfter("0.5"), milliseconds(500));
  for (const std::string_view bad :
       {"", "-1", "soon", "nan", "1e99", "Wed, 21 Oct 2015 07:28:00 GMT"})
    EXPECT_FALSE(ParseRetryAfter(bad)) << bad;
  const Error error = ReportedFailure({.status = 429, .retry_after = milliseconds(1500)});
  EXPECT_EQ(RetryAfterOf(error), milliseconds(1500));
}

TEST(RetryRuleTest, RetriesOnceWhatMayPassAndThenSwitches) {
  struct RuleCase {
    ProviderFault fault;
    RetryDecision first;
    RetryDecision second;
    bool counts;
  };
  using enum RetryDecision;
  const RuleCase cases[] = {
      {ProviderFault::kTimeout, kRetry, kProviderSwitch, true},
      {ProviderFault::kOverload, kRetry, kProviderSwitch, true},
      {ProviderFault::kBlocked, kProviderSwitch, kProviderSwitch, false},
      {ProviderFault::kInfrastructure, kRetry, kProviderSwitch, true},
      {ProviderFault::kCancelled, kStop, kStop, false},
      {ProviderFault::kInvalidAnswer, kRetry, kProviderSwitch, true},
  };
  EXPECT_EQ(std::size(cases), std::size(kProviderFaults));
  for (const RuleCase& one : cases) {
    const Error error = ProviderFailure(one.fault, "x");

    EXPECT_EQ(DecideRetry(error, 1, {}), one.first) << NameIn(kProviderFaults, one.fault);
    EXPECT_EQ(DecideRetry(error, 2, {}), one.second) << NameIn(kProviderFaults, one.fault);
    EXPECT_EQ(CountsAgainst(one.fault), one.counts) << NameIn(kProviderFaults, one.fault);
  }
}

TEST(RetryRuleTest, WaitsAsLongAsItIsAskedToUpToALimit) {
  const Error shortly = ReportedFailure({.status = 429, .retry_after = milliseconds(1500)});
  const Error much_later = ReportedFailure({.status = 429, .retry_after = milliseconds(60'000)});

  EXPECT_EQ(BackoffFor(shortly, {}), milliseconds(1500));
  EXPECT_EQ(DecideRetry(shortly, 1, {}), RetryDecision::kRetry);
  EXPECT_EQ(DecideRetry(much_later, 1, {}), RetryDecision::kProviderSwitch);
}

TEST(RetryRuleTest, DoesNotLookForAModelThatDoesNotRefuse) {
  const Error refused = ProviderFailure(ProviderFault::kBlocked, "no", kContentRefused);

  EXPECT_EQ(DecideRetry(refused, 1, {}), RetryDecision::kStop);
}

}  // namespace
}  // namespace falconer::agent
