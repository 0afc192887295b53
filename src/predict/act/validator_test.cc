#include "predict/act/validator.h"

#include <gtest/gtest.h>

namespace falconer::predict {
namespace {

WorkflowStep StepDoing(json::object spec) {
  return {.id = "step", .intent = "do it", .contract = {{"action_spec", std::move(spec)}}};
}

WorkflowStep ClickStep() {
  return StepDoing({{"action_type", "click"}, {"selector", "id=add"}});
}

const engine::ProbeFinding kThere = {
    .matches = 1, .selector = "id=add", .ref = "d1e1", .is_usable = true};

TEST(ValidatorTest, ACompleteStepWhoseElementIsThereIsValid) {
  const WorkflowStep step = ClickStep();

  EXPECT_TRUE(Validate({.step = step, .finding = &kThere}).is_valid());
}

TEST(ValidatorTest, NamesAnActionThatNobodyKnows) {
  const WorkflowStep step = StepDoing({{"action_type", "levitate"}});

  EXPECT_EQ(Validate({.step = step}).reason(), "unknown_action: levitate");
}

TEST(ValidatorTest, AStepWithoutAnActionIsNone) {
  const WorkflowStep step{.id = "step"};

  EXPECT_EQ(Validate({.step = step}).reason(), "unknown_action");
}

TEST(ValidatorTest, NamesAFieldThatIsMissing) {
  const WorkflowStep step = StepDoing({{"action_type", "fill"}, {"selector", "id=name"}});

  const Validation found = Validate({.step = step});

  EXPECT_EQ(found.validity, Validity::kIncomplete);
  EXPECT_TRUE(found.about.contains("text")) << found.about;
}

TEST(ValidatorTest, NamesAParameterThatNobodyGave) {
  const WorkflowStep step =
      StepDoing({{"action_type", "fill"}, {"selector", "id=name"}, {"text", "Dear {full_name},"}});

  EXPECT_EQ(Validate({.step = step, .freedom = Freedom::kFree}).reason(), "incomplete: full_name");
}

TEST(ValidatorTest, AValueMayHaveBraces) {
  const WorkflowStep step =
      StepDoing({{"action_type", "fill"}, {"selector", "id=name"}, {"text", "{sic}"}});

  EXPECT_TRUE(Validate({.step = step, .freedom = Freedom::kNamed}).is_valid());
}

struct FindingRow {
  engine::ProbeFinding finding;
  std::string_view reason;
};

TEST(ValidatorTest, TellsWhyAnElementCannotBeUsed) {
  const WorkflowStep step = ClickStep();
  const FindingRow rows[] = {
      {{.matches = 0}, "element_missing"},
      {{.matches = 3, .selector = "id=add"}, "element_ambiguous: 3"},
      {{.matches = 1, .selector = "id=add", .is_usable = false}, "element_not_usable: id=add"},
  };

  for (const FindingRow& row : rows)
    EXPECT_EQ(Validate({.step = step, .finding = &row.finding}).reason(), row.reason);
}

TEST(ValidatorTest, PredictionAloneDoesOnlyWhatHurtsNobody) {
  const WorkflowStep step = ClickStep();
  for (const auto& row : model::kCapabilities) {
    const NextCandidate free{.step = step,
                             .finding = &kThere,
                             .freedom = Freedom::kFree,
                             .needs = {model::Capability::kInteract, row.value}};

    EXPECT_EQ(Validate(free).is_valid(), kDoneFreely.Contains(row.value)) << row.name;
  }
}

TEST(ValidatorTest, SaysWhatAnUnsafeStepWouldNeed) {
  const WorkflowStep step = ClickStep();

  EXPECT_EQ(Validate({.step = step,
                      .finding = &kThere,
                      .freedom = Freedom::kFree,
                      .needs = {model::Capability::kDelete, model::Capability::kPurchase}})
                .reason(),
            "unsafe_filtered: PURCHASE, DELETE");
}

TEST(ValidatorTest, WhatANamedWorkflowDoesIsForTheGatesToJudge) {
  const WorkflowStep step = ClickStep();

  EXPECT_TRUE(Validate({.step = step,
                        .finding = &kThere,
                        .freedom = Freedom::kNamed,
                        .needs = {model::Capability::kPurchase},
                        .known = {model::Capability::kPurchase}})
                  .is_valid());
}

TEST(ValidatorTest, WhatTookAnElementsPlaceNeedsNothingGraveThatItDidNot) {
  const WorkflowStep step = ClickStep();

  for (const auto& row : model::kCapabilities) {
    const NextCandidate candidate{
        .step = step, .finding = &kThere, .freedom = Freedom::kNamed, .needs = {row.value}};
    EXPECT_EQ(Validate(candidate).is_valid(), !kGrave.Contains(row.value)) << row.name;
  }
}

TEST(ValidatorTest, WhatIsUnsafeIsSaidBeforeWhatIsMissing) {
  const WorkflowStep step = ClickStep();
  const engine::ProbeFinding gone;

  EXPECT_EQ(Validate({.step = step,
                      .finding = &gone,
                      .freedom = Freedom::kFree,
                      .needs = {model::Capability::kAuth}})
                .validity,
            Validity::kUnsafe);
}

}  // namespace
}  // namespace falconer::predict
