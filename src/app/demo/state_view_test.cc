#include "app/demo/state_view.h"

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

model::StructuredState OrderForm() {
  model::StructuredState state;
  state.elements = {
      {.ref = "d1e1",
       .role = "textbox",
       .name = "Full name",
       .required = true,
       .value_hint = "Ada"},
      {.ref = "d1e2", .role = "checkbox", .name = "Gift", .checked = model::Toggle::kOn},
      {.ref = "d1e3", .role = "button", .name = "Order", .enabled = false}};
  state.texts = {{.kind = model::TextKind::kHeading, .text = "Order coffee"}};
  return state;
}

TEST(StateViewTest, HasALineForEveryElementAndText) {
  const auto lines = StateLines(OrderForm());

  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "d1e1    textbox \"Full name\" = \"Ada\" required");
  EXPECT_EQ(lines[1], "d1e2    checkbox \"Gift\" checked");
  EXPECT_EQ(lines[2], "d1e3    button \"Order\" disabled");
  EXPECT_EQ(lines[3], "heading Order coffee");
}

TEST(StateViewTest, CountsWhatDoesNotFit) {
  model::StructuredState state = OrderForm();
  state.budget.elements = {.total = 10, .omitted = 7};

  const auto lines = StateLines(state, {.elements = 2, .texts = 0});

  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[2], "... and 8 more elements");
  EXPECT_EQ(lines[3], "... and 1 more texts");
}

TEST(StateViewTest, SaysWhatADeltaChanges) {
  model::StructuredState before = OrderForm();
  model::StructuredState after = before;
  after.elements[0].value_hint = "Ada Lovelace";
  after.elements[2].enabled = true;
  after.errors = {{.ref = "d1e9", .text = "sold out"}};
  ASSERT_TRUE(model::Seal(before));
  ASSERT_TRUE(model::Seal(after));

  EXPECT_EQ(DeltaLine(model::Diff(&before, after)), "elements: 2 changed; errors: 1 new");
  EXPECT_EQ(DeltaLine(model::Diff(&before, before)), "nothing changed");
  EXPECT_EQ(DeltaLine(model::Diff(nullptr, after)), "everything is new");
}

TEST(StateViewTest, MeasuresWhatAModelReads) {
  EXPECT_EQ(SizeLine({{"a", 1}}), "7 characters, about 1 tokens");
}

}  // namespace
}  // namespace falconer::app
