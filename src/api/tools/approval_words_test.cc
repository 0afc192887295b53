#include "api/tools/approval_words.h"

#include <gtest/gtest.h>

#include "tests/support/sample_approval.h"

namespace falconer::api {
namespace {

const WallTime kAskedAt{std::chrono::hours(24 * 365 * 50)};

std::string TextOf(const model::ApprovalRequest& request) {
  return TextAt(QuestionForm(request, kAskedAt), "message");
}

TEST(ApprovalWordsTest, WhatStandsLastIsReadToo) {
  model::ApprovalRequest request = test::SampleApproval(kAskedAt);
  request.preview->fields = {
      {"note", std::string(400, 'x')}, {"to", "attacker"}, {"amount", "9999"}};
  const std::string text = TextOf(request);
  EXPECT_TRUE(IsToldWhole(request));
  EXPECT_TRUE(text.contains("to = attacker")) << text;
  EXPECT_TRUE(text.contains("amount = 9999")) << text;
  EXPECT_TRUE(text.contains("3 fields: note to amount")) << text;
  EXPECT_TRUE(text.contains("Amount: 49 USD")) << text;
  EXPECT_TRUE(text.contains("sha256 " + std::string(64, 'c'))) << text;
}

TEST(ApprovalWordsTest, NothingIsLeftOutWithoutAWord) {
  model::ApprovalRequest request = test::SampleApproval(kAskedAt);
  request.preview->body = std::string(20'000, 'x');
  const std::string text = TextOf(request);
  EXPECT_FALSE(IsToldWhole(request));
  EXPECT_TRUE(text.contains("only the first 16384 of ")) << text.substr(16'000);
  EXPECT_TRUE(text.contains("falconer approvals show " + request.request_id));

  request = test::SampleApproval(kAskedAt);
  request.preview->is_cut = true;
  EXPECT_FALSE(IsToldWhole(request));
  EXPECT_TRUE(TextOf(request).contains("not all of it is shown"));

  request = test::SampleApproval(kAskedAt);
  request.preview->is_body_whole = false;
  EXPECT_FALSE(IsToldWhole(request));
  EXPECT_TRUE(TextOf(request).contains("NOT ALL OF THE BODY COULD BE READ"));
}

TEST(ApprovalWordsTest, AScriptIsShown) {
  model::ApprovalRequest request = test::SampleApproval(kAskedAt);
  request.preview = model::RequestPreview{.method = "",
                                          .url = "https://a.test/",
                                          .form = model::PreviewForm::kAction,
                                          .body = "steal(document.cookie)",
                                          .effect = "Carry out custom_js_restricted"};
  request.http_method.clear();
  EXPECT_TRUE(TextOf(request).contains("Does: steal(document.cookie)")) << TextOf(request);
}

}  // namespace
}  // namespace falconer::api
