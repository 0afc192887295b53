// A target that its names do not find, found by looking: only where the contract escalates to that,
// only among what is marked, and through everything that any other target goes through.

#include <fmt/format.h>

#include "agent/ghost/marks_gate.h"
#include "base/sha256.h"
#include "tests/support/png.h"
#include "tests/support/runtime_bench.h"
#include "tests/support/scripted_provider.h"

namespace falconer::test {
namespace {

constexpr std::string_view kShop =
    "<style>body{font:20px sans-serif;margin:40px}button{font:inherit;margin:30px}</style>"
    "<h1>Your order</h1><button id=no>Cancel</button><button id=yes>Finish the order</button>"
    "<script>for (const b of document.querySelectorAll('button')) b.onclick = () => "
    "fetch('/effect', {method: 'POST', body: JSON.stringify({name: b.id})}).then(() => "
    "document.body.append('all done'))</script>";
// Only drawn.
constexpr std::string_view kDrawnShop =
    "<body style='margin:0'><canvas id=c width=600 height=200></canvas><script>const c = "
    "document.getElementById('c').getContext('2d'); c.font = '30px sans-serif'; "
    "c.fillText('Cancel', 40, 60); c.fillText('Confirm purchase', 260, 140); "
    "document.getElementById('c').onclick = (e) => fetch('/effect', {method: 'POST', body: "
    "JSON.stringify({name: e.offsetX > 250 && e.offsetY > 100 ? 'yes' : 'no'})}).then(() => "
    "document.body.append('all done'))</script>";

constexpr std::string_view kFinishDenied = R"(
policy: {name: careful, version: "1"}
rules:
  - {name: finish, when: {element: {name: Finish the order}}, then: {deny: not that}}
  - {name: all, when: always, then: allow}
connect:
  - {name: anywhere, when: always, then: allow}
)";

class FallbackBench {
 public:
  FallbackBench(BrowserFixture& t, agent::GhostSetup setup)
      : t_(t), gate_(std::move(setup)), bench_(t, data_.path(), "test:1", &gate_) {
    t.site.Serve("/shop", std::string(kShop));
    t.site.Serve("/drawn", std::string(kDrawnShop));
  }

  Task<void> Open(std::string path) {
    co_await bench_.Execute(fmt::format(
        R"({{"workflow_id":"w1","step_index":{},"action_spec":{{"action_type":"navigate","url":"{}"}}}})",
        steps_++, t_.site.Url(path)));
  }
  Task<model::ActionExecutionResult> Click(std::string selector, std::string_view escalation) {
    return bench_.Execute(fmt::format(
        R"({{"workflow_id":"w1","step_index":{},"intent":"finish the order","action_spec":{{"action_type":"click","selector":"{}"}},"retry":{{"max_attempts":1}},"timeout":{{"bind_ms":1000,"execute_ms":5000,"total_ms":60000}},"wait_conditions":[{{"kind":"text","text":"all done"}}],"escalation":{{"on_exhausted_retries":"{}","on_non_retryable":"{}"}}}})",
        steps_++, selector, escalation, escalation));
  }
  RuntimeBench& bench() { return bench_; }

 private:
  BrowserFixture& t_;
  agent::MarksGate gate_;
  TempDir data_ = TempDir::Create("falconer-vision-test-").value();
  RuntimeBench bench_;
  int steps_ = 0;
};

std::string Shown(const model::ActionExecutionResult& result) {
  return json::serialize(result.ToJson());
}

BROWSER_TEST(VisionFallbackTest, TheElementThatAModelChoosesIsActedOn) {
  ScriptedProvider model("eyes");
  model.ThenSay("1");
  FallbackBench test(t, {.settings = {.enabled = true}, .vision = &model});
  co_await test.Open("/shop");

  const auto result = co_await test.Click("#gone", "vision_fallback");

  EXPECT_TRUE(result.success) << Shown(result);
  EXPECT_EQ(t.site.EffectCount("yes"), 1U);
  EXPECT_EQ(t.site.EffectCount("no"), 0U);
  EXPECT_EQ(model.asked().size(), 1U);
  const auto& asked = std::get<agent::UserMessage>(model.asked().at(0).messages.at(0));
  const auto picture = DecodePng(asked.images.at(0).bytes);
  EXPECT_TRUE(picture && picture->width() <= 768 && picture->height() <= 512);
  // All of it is in the sealed result, so that it is on record.
  const json::object& evidence = result.metadata.at("vision").as_object();
  EXPECT_EQ(TextAt(evidence, "image_sha256"), Sha256Hex(asked.images.at(0).bytes));
  EXPECT_EQ(TextAt(evidence, "prompt"), asked.text);
  EXPECT_EQ(TextAt(evidence, "response"), "1");
  EXPECT_EQ(evidence.at("confidence").to_number<double>(), 0.6);
  EXPECT_EQ(result.artifacts.size(), 1U) << Shown(result);
  EXPECT_TRUE(result.escalation &&
              result.escalation->mode == model::EscalationMode::kVisionFallback);
  co_await test.bench().Stop();
}

BROWSER_TEST(VisionFallbackTest, NobodyLooksUnlessTheContractSaysSo) {
  ScriptedProvider model("eyes");
  FallbackBench test(t, {.settings = {.enabled = true}, .vision = &model});
  co_await test.Open("/shop");

  const auto result = co_await test.Click("#gone", "fail_workflow");

  EXPECT_FALSE(result.success);
  EXPECT_TRUE(model.asked().empty());
  EXPECT_FALSE(result.metadata.contains("vision"));
  co_await test.bench().Stop();
}

BROWSER_TEST(VisionFallbackTest, NoneOfThemAndNonsenseLeaveTheFailureAsItWas) {
  ScriptedProvider model("eyes");
  model.ThenSay("0");
  model.ThenSay("the big one");
  FallbackBench test(t, {.settings = {.enabled = true}, .vision = &model});
  co_await test.Open("/shop");

  const auto none = co_await test.Click("#gone", "vision_fallback");
  const auto nonsense = co_await test.Click("#gone", "vision_fallback");

  for (const auto& result : {none, nonsense}) {
    EXPECT_TRUE(!result.success && result.failure &&
                result.failure->code == ErrorCode::kElementNotFound)
        << Shown(result);
    EXPECT_TRUE(result.metadata.contains("vision")) << Shown(result);
  }
  EXPECT_EQ(none.metadata.at("vision").at("choice").to_number<int>(), 0);
  EXPECT_TRUE(nonsense.metadata.at("vision").as_object().contains("failure"));
  EXPECT_EQ(t.site.EffectCount("yes") + t.site.EffectCount("no"), 0U);
  co_await test.bench().Stop();
}

BROWSER_TEST(VisionFallbackTest, WithoutAModelTheNameIsReadInThePicture) {
  FallbackBench test(t, {.settings = {.enabled = true}});
  co_await test.Open("/drawn");

  const auto result = co_await test.Click("text=Confirm purchase", "vision_fallback");

  EXPECT_TRUE(result.success) << Shown(result);
  EXPECT_EQ(t.site.EffectCount("yes"), 1U);
  EXPECT_EQ(TextAt(result.metadata.at("vision").as_object(), "by"), "tesseract");
  co_await test.bench().Stop();
}

BROWSER_TEST(VisionFallbackTest, WhatIsChosenIsJudgedLikeAnyTarget) {
  ScriptedProvider model("eyes");
  model.ThenSay("1");
  FallbackBench test(t, {.settings = {.enabled = true}, .vision = &model});
  test.bench().control().policies.policy =
      kernel::AdmittedPolicy::Of(std::string(kFinishDenied)).value();
  co_await test.Open("/shop");

  const auto result = co_await test.Click("#gone", "vision_fallback");

  EXPECT_TRUE(!result.success && result.failure && result.failure->code == ErrorCode::kPolicyDenied)
      << Shown(result);
  EXPECT_EQ(t.site.EffectCount("yes"), 0U);
  co_await test.bench().Stop();
}

}  // namespace
}  // namespace falconer::test
