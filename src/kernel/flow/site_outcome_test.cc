#include "kernel/flow/site_outcome.h"

#include <gtest/gtest.h>

namespace falconer::kernel {
namespace {

using model::ActionType;
using store::SiteOutcome;

model::ActionExecutionResult FailedWith(ErrorCode code, std::string net_error = "") {
  json::object details;
  if (!net_error.empty()) details["net_error"] = net_error;
  model::ActionExecutionResult result;
  result.failure = model::ActionFailure::Of(Error(code, "why", std::move(details)));
  return result;
}

model::ActionExecutionResult Answered(int status) {
  model::ActionExecutionResult result;
  result.success = true;
  result.outcome = json::object{{"navigation", json::object{{"status", status}}}};
  return result;
}

TEST(SiteOutcomeTest, WhatComesFromTheSiteCountsAgainstIt) {
  EXPECT_EQ(SiteOutcomeOf(ActionType::kNavigate,
                          FailedWith(ErrorCode::kNavigationFailed, "net::ERR_CONNECTION_REFUSED")),
            SiteOutcome::kDown);
  EXPECT_EQ(SiteOutcomeOf(ActionType::kReload, FailedWith(ErrorCode::kNavigationFailed)),
            SiteOutcome::kDown);
  EXPECT_EQ(SiteOutcomeOf(ActionType::kNavigate, FailedWith(ErrorCode::kTimeout)),
            SiteOutcome::kDown);
  EXPECT_EQ(SiteOutcomeOf(ActionType::kClick, FailedWith(ErrorCode::kTabCrashed)),
            SiteOutcome::kDown);
  EXPECT_EQ(SiteOutcomeOf(ActionType::kClick, FailedWith(ErrorCode::kNetworkError)),
            SiteOutcome::kDown);
  EXPECT_EQ(SiteOutcomeOf(ActionType::kNavigate, Answered(503)), SiteOutcome::kDown)
      << "a page of the server about its own failure is no success";
}

TEST(SiteOutcomeTest, WhatWorkedSpeaksForIt) {
  EXPECT_EQ(SiteOutcomeOf(ActionType::kNavigate, Answered(200)), SiteOutcome::kUp);
  EXPECT_EQ(SiteOutcomeOf(ActionType::kNavigate, Answered(404)), SiteOutcome::kUp);
  model::ActionExecutionResult result = Answered(200);
  result.success = false;
  result.failure = model::ActionFailure::Of(Error(ErrorCode::kPostconditionFailed, "why"));
  EXPECT_EQ(SiteOutcomeOf(ActionType::kNavigate, result), SiteOutcome::kUp);
}

TEST(SiteOutcomeTest, WhatOthersFoundWrongSaysNothing) {
  constexpr ErrorCode kNothing[] = {
      ErrorCode::kPreconditionFailed,  ErrorCode::kPostconditionFailed,
      ErrorCode::kWaitTimeout,         ErrorCode::kElementNotFound,
      ErrorCode::kTargetBindFailed,    ErrorCode::kPolicyDenied,
      ErrorCode::kSecurityDomainBlock, ErrorCode::kTokenExpired,
      ErrorCode::kCapabilityMissing,   ErrorCode::kCancelled,
      ErrorCode::kRuntimePaused,       ErrorCode::kStaleEpoch,
      ErrorCode::kApprovalDenied,      ErrorCode::kBrowserGone,
      ErrorCode::kScriptError,         ErrorCode::kDeadlineExceeded,
  };
  for (const ErrorCode code : kNothing) {
    EXPECT_EQ(SiteOutcomeOf(ActionType::kNavigate, FailedWith(code)), std::nullopt)
        << TraitsOf(code).name;
  }
  EXPECT_EQ(SiteOutcomeOf(ActionType::kClick, FailedWith(ErrorCode::kTimeout)), std::nullopt);
  EXPECT_EQ(SiteOutcomeOf(ActionType::kGoBack, FailedWith(ErrorCode::kNavigationFailed)),
            std::nullopt)
      << "there may be no earlier page";
  for (const char* own : {"net::ERR_ABORTED", "net::ERR_BLOCKED_BY_CLIENT",
                          "net::ERR_INTERNET_DISCONNECTED", "net::ERR_PROXY_CONNECTION_FAILED"}) {
    EXPECT_EQ(SiteOutcomeOf(ActionType::kNavigate, FailedWith(ErrorCode::kNavigationFailed, own)),
              std::nullopt)
        << own;
  }
}

}  // namespace
}  // namespace falconer::kernel
