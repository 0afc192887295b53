#include "model/evidence.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(EvidenceTest, WhatWasNotObservedIsAbsent) {
  EXPECT_EQ(json::serialize(ActionOutcome().ToJson()), R"({"action_type":"wait_only"})");
}

TEST(EvidenceTest, WritesEverythingObserved) {
  using std::chrono::microseconds;
  ActionOutcome outcome{.type = ActionType::kClick};
  outcome.element = {.ref = "d1e5",
                     .role = "button",
                     .name = "Save",
                     .description = "button \"Save\"",
                     .frame = "F1"};
  outcome.point = {.x = 10, .y = 20.5};
  outcome.hit = {.delivered = false, .interceptor = "div #overlay"};
  outcome.attempts = {
      {.cause = ErrorCode::kElementObscured, .waited = std::chrono::milliseconds(30)}};
  outcome.navigation = {.requested = true,
                        .committed = true,
                        .url = "https://x.test/",
                        .status = 200,
                        .loader = "L1"};
  outcome.dialog = {.type = DialogType::kConfirm, .message = "Sure?"};
  outcome.popups = {TabId("t2")};
  outcome.downloads = {"g1", "g2"};
  outcome.value_length = 3;
  outcome.extracted = json::value("text");
  outcome.artifact = {.bytes = 9, .mime = "image/png", .sha256 = "ab", .path = "ab.png"};
  outcome.timings = {{Phase::kPrepare, microseconds(5)},
                     {Phase::kAct, microseconds(7)},
                     {Phase::kPrepare, microseconds(6)}};

  EXPECT_EQ(json::value(outcome.ToJson()), *ParseJson(R"({
      "action_type":"click",
      "element":{"ref":"d1e5","role":"button","name":"Save","description":"button \"Save\"",
                 "frame":"F1"},
      "point":{"x":10.0,"y":20.5},
      "hit":{"delivered":false,"interceptor":"div #overlay"},
      "attempts":[{"cause":"ELEMENT_OBSCURED","waited_ms":30}],
      "navigation":{"requested":true,"committed":true,"url":"https://x.test/","status":200,
                    "loader":"L1"},
      "dialog":{"type":"confirm","message":"Sure?"},
      "popups":["t2"],"downloads":["g1","g2"],"value_length":3,"extracted":"text",
      "artifact":{"bytes":9,"mime":"image/png","sha256":"ab","path":"ab.png"},
      "timings_us":{"prepare":11,"act":7}})"))
      << json::serialize(outcome.ToJson());
}

TEST(EvidenceTest, ANavigationWithoutAnAnswerHasNoStatus) {
  ActionOutcome outcome{.type = ActionType::kNavigate};
  outcome.navigation = {.requested = true, .url = "https://x.test/"};

  const json::object written = outcome.ToJson().at("navigation").as_object();

  EXPECT_FALSE(written.contains("status"));
  EXPECT_FALSE(written.contains("loader"));
  EXPECT_EQ(written.at("committed"), false);
}

TEST(EvidenceTest, EveryPhaseHasAName) {
  for (int i = 0; i <= static_cast<int>(Phase::kRead); ++i) {
    EXPECT_FALSE(NameIn(kPhases, static_cast<Phase>(i)).empty());
  }
}

}  // namespace
}  // namespace falconer::model
