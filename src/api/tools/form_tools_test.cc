#include "api/tools/form_tools.h"

#include <gtest/gtest.h>

#include "model/action/action.h"

namespace falconer::api {
namespace {

FieldArgument Field(std::string value, std::optional<FieldKind> kind = std::nullopt) {
  return {.target = {.fields = {{"target_eid", "d1e1"}}, .ref = "d1e1"},
          .value = std::move(value),
          .kind = kind};
}

// The action of a field, as the model of actions reads it.
model::ActionSpec SpecFor(const FieldArgument& field, const ElementFacts& facts) {
  const auto step = StepFor(field, facts);
  EXPECT_TRUE(step);
  const auto spec = model::ActionSpec::FromJson(step->spec);
  EXPECT_TRUE(spec) << (spec ? "" : spec.error().message());
  return spec.value_or(model::ActionSpec());
}

TEST(FormToolsTest, EachKindOfFieldIsFilledInItsOwnWay) {
  using enum model::ActionType;
  const ElementFacts text{.ref = "d1e1", .kind = FieldKind::kText};
  const ElementFacts toggle{.ref = "d1e1", .kind = FieldKind::kToggle};
  const ElementFacts list{.ref = "d1e1", .kind = FieldKind::kList, .options = {"Red", "Blue"}};

  EXPECT_EQ(SpecFor(Field("Ada"), text).type, kFill);
  EXPECT_EQ(SpecFor(Field("true"), toggle).type, kCheck);
  EXPECT_EQ(SpecFor(Field("false"), toggle).type, kUncheck);
  EXPECT_EQ(SpecFor(Field("Blue"), list).select_values[0].label, "Blue");
  EXPECT_EQ(SpecFor(Field("b"), list).select_values[0].value, "b");
}

TEST(FormToolsTest, TheElementDecidesOverWhatTheCallerSays) {
  using enum model::ActionType;
  const ElementFacts seen{.ref = "d1e1", .kind = FieldKind::kText};
  const ElementFacts unseen;

  EXPECT_EQ(SpecFor(Field("Blue", FieldKind::kList), seen).type, kFill);
  EXPECT_EQ(SpecFor(Field("Blue", FieldKind::kList), unseen).type, kSelect);
  EXPECT_EQ(SpecFor(Field("Blue"), unseen).type, kFill);
}

TEST(FormToolsTest, ABoxTakesOnlyTrueOrFalse) {
  const auto step = StepFor(Field("maybe"), {.ref = "d1e1", .kind = FieldKind::kToggle});

  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().code(), ErrorCode::kInvalidArgument);
}

TEST(FormToolsTest, ASecretIsNamedAndOnlyForText) {
  FieldArgument field = Field("");
  field.secret = json::object{{"secret", "shop-login"}, {"field", "totp"}};
  const auto spec = SpecFor(field, {.ref = "d1e1", .kind = FieldKind::kText});
  ASSERT_TRUE(spec.text);
  EXPECT_TRUE(spec.text->is_secret());
  EXPECT_EQ(spec.text->value, "shop-login");
  EXPECT_EQ(spec.text->field, "totp");
  EXPECT_FALSE(StepFor(field, {.ref = "d1e1", .kind = FieldKind::kText})->asked.value);
  EXPECT_FALSE(StepFor(field, {.ref = "d1e1", .kind = FieldKind::kList}));
}

TEST(FormToolsTest, KindsAreToldByRoleAndTag) {
  EXPECT_EQ(KindOf("combobox", "select"), FieldKind::kList);
  EXPECT_EQ(KindOf("listbox", "select"), FieldKind::kList);
  EXPECT_EQ(KindOf("combobox", "input"), FieldKind::kText);
  EXPECT_EQ(KindOf("switch", "button"), FieldKind::kToggle);
  EXPECT_EQ(KindOf("radio", "input"), FieldKind::kToggle);
  EXPECT_EQ(KindOf("textbox", "textarea"), FieldKind::kText);
}

}  // namespace
}  // namespace falconer::api
