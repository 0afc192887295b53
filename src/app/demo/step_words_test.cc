#include "app/demo/step_words.h"

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

TEST(StepWordsTest, SaysWhatWasTypedAndNeverASecret) {
  model::ActionSpec spec{.type = model::ActionType::kFill};
  const model::ActionExecutionResult result{
      .outcome = json::object{{"element", {{"role", "textbox"}, {"name", "Password"}}}}};

  spec.text = model::TextInput{.value = "hello"};
  EXPECT_EQ(StepWords(spec, result), "textbox \"Password\"  <- \"hello\"");
  spec.text = model::TextInput{.value = "demo-shop", .source = model::TextInput::Source::kSecret};
  EXPECT_EQ(StepWords(spec, result), "textbox \"Password\"  <- secret demo-shop");
}

TEST(StepWordsTest, SaysHowManyTriesItTookAndWhatHolds) {
  const model::ActionSpec spec{.type = model::ActionType::kNavigate, .url = "http://a/"};
  model::ActionExecutionResult result{
      .attempts = {{.n = 1, .cause = ErrorCode::kPostconditionFailed},
                   {.n = 2, .backoff = std::chrono::milliseconds(1000)}},
      .outcome = json::object{{"navigation", {{"url", "http://a/"}, {"status", 200}}}}};
  result.verification.emplace();
  result.verification->outcomes.resize(2);

  EXPECT_EQ(StepWords(spec, result),
            "http://a/  (200); again after POSTCONDITION_FAILED and 1000 ms; 2 checks hold");
}

}  // namespace
}  // namespace falconer::app
