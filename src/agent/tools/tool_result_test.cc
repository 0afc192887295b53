// The table of failures, and what is told of one.
#include "agent/tools/tool_result.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

using std::chrono::milliseconds;

TEST(ToolErrorTest, EveryCodeHasOneKind) {
  for (const ErrorTraits& traits : AllErrorCodes()) {
    EXPECT_EQ(std::ranges::count(AllToolErrors(), traits.code, &ToolErrorRow::code), 1)
        << traits.name;
  }
  EXPECT_EQ(AllToolErrors().size(), AllErrorCodes().size());
}

TEST(ToolErrorTest, KindsAreThoseThatLoopsKnow) {
  EXPECT_EQ(KindOf(ErrorCode::kInvalidArgument), ToolErrorKind::kValidation);
  EXPECT_EQ(KindOf(ErrorCode::kApprovalDenied), ToolErrorKind::kPolicyDenied);
  EXPECT_EQ(KindOf(ErrorCode::kWaitTimeout), ToolErrorKind::kTimeout);
  EXPECT_EQ(KindOf(ErrorCode::kBrowserGone), ToolErrorKind::kUnavailable);
  EXPECT_EQ(KindOf(ErrorCode::kElementObscured), ToolErrorKind::kExecution);
  // The kinds' own codes are of their kinds.
  for (const EnumName<ToolErrorKind>& kind : kToolErrorKinds) {
    std::string name(kind.name);
    for (char& letter : name) letter = static_cast<char>(std::toupper(letter));
    const auto code = ErrorCodeNamed(name);
    ASSERT_TRUE(code) << name;
    EXPECT_EQ(KindOf(*code), kind.value) << name;
  }
}

TEST(ToolErrorTest, AFailureSaysWhetherAndWhenToTryAgain) {
  const auto busy =
      ToolFailure::Of(Error(ErrorCode::kQueueFull, "no room", {{"retry_after_ms", 750}}));
  EXPECT_TRUE(busy.is_retriable);
  EXPECT_EQ(busy.retry_after, milliseconds(750));
  EXPECT_EQ(json::serialize(busy.ToJson()),
            R"({"code":"QUEUE_FULL","message":"no room","retryable":true,"retry_after_ms":750})");

  const auto never = ToolFailure::Of(Error(ErrorCode::kPolicyDenied, "no"));
  EXPECT_FALSE(never.is_retriable);
  EXPECT_FALSE(never.retry_after);
  const auto odd = ToolFailure::Of(Error(ErrorCode::kQueueFull, "x", {{"retry_after_ms", -1}}));
  EXPECT_FALSE(odd.retry_after);
}

TEST(ToolErrorTest, WhatFailedBeforeItsToolWasAskedSaysSoInItsText) {
  const auto result = ToolResult::Failed(
      ToolFailure::Of(Error(ErrorCode::kQueueFull, "no room", {{"retry_after_ms", 20}})));

  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.text, "error QUEUE_FULL: no room\nretry: after 20 ms");
  EXPECT_EQ(result.error_code(), "tool_unavailable");
  EXPECT_EQ(ToolResult{}.error_code(), "");
}

}  // namespace
}  // namespace falconer::agent
