#include "api/tools/predict_words.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

TEST(PredictWordsTest, ASignatureIsReadAsWhatIsDone) {
  EXPECT_EQ(SignatureWords(R"({"selector":"button \"Add to cart\"","type":"click"})"),
            R"(click button "Add to cart")");
  EXPECT_EQ(SignatureWords(R"({"type":"navigate","url":"https://shop.example/"})"),
            "navigate https://shop.example/");
  EXPECT_EQ(SignatureWords("no json"), "no json");
}

TEST(PredictWordsTest, APredictionTellsHowSureItIsAndWhetherItIsThere) {
  const json::object prediction{{"intent", "click link \"Next\""},
                                {"confidence", 0.834},
                                {"source", "second_order"},
                                {"seen", 12},
                                {"present", false}};

  EXPECT_EQ(PredictionLine(prediction),
            R"(0.83 click link "Next" (second_order, seen 12), not on the page)");
}

TEST(PredictWordsTest, ThePlanTellsWhetherAndWhy) {
  EXPECT_EQ(
      PlanLine({{"plan", {{"execute", true}, {"reason", "confidence_above_threshold_0.83"}}}}),
      "would do the first: confidence_above_threshold_0.83");
  EXPECT_EQ(PlanLine({{"plan", {{"execute", false}, {"reason", "no_predictions_available"}}}}),
            "would do nothing: no_predictions_available");
}

TEST(PredictWordsTest, AStepTellsWhoChoseItAndWhatWasHealed) {
  const json::object step{{"decision", "done"}, {"intent", "click button \"Add to cart\""},
                          {"confidence", 0.9},  {"source", "order_3"},
                          {"by", "model"},      {"healed", {{"selector", "#add-2"}}}};

  EXPECT_EQ(RunStepLine(step),
            R"(done click button "Add to cart" 0.90 order_3, by a model, healed: #add-2)");
}

TEST(PredictWordsTest, TheEndTellsWhyAndWhatIsAsked) {
  EXPECT_EQ(RunEndLine({{"workflow", "buy"},
                        {"session", "shop"},
                        {"outcome", "asks"},
                        {"reason", "too_close_0.03"},
                        {"question", {{"text", "Which one?"}}}}),
            "asks buy in shop: too_close_0.03\nWhich one?");
  EXPECT_EQ(RunEndLine({{"workflow", ""}, {"session", "shop"}, {"outcome", "completed"}}),
            "completed a run by prediction in shop");
}

}  // namespace
}  // namespace falconer::api
