#include "browser/state/frame_state.h"

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

FrameReading MainReading() {
  FrameReading reading{.frame = std::make_shared<Frame>()};
  reading.frame->fid = "f1";
  reading.frame->document = std::make_shared<Document>(Document{.origin = "https://example.com"});
  reading.answer = model::FrameProjection{.url = "https://example.com/",
                                          .viewport = {.width = 1000, .height = 500},
                                          .focus = "d1e9",
                                          .elements = {{.ref = "d1e1"}, {.ref = "d1e2"}}};
  reading.answer->budget.elements = {.total = 2};
  reading.answer->budget.texts = {.total = 9, .omitted = 7};
  return reading;
}

// A frame of 300 by 150 whose corner is at (100, 50) of the tab.
FrameReading ChildReading(const FrameReading& parent) {
  constexpr double kCorners[] = {100, 50, 400, 50, 400, 200, 100, 200};
  FrameReading reading{.frame = std::make_shared<Frame>(), .place = QuadMap::Onto(kCorners)};
  reading.frame->fid = "f2";
  reading.frame->document = std::make_shared<Document>(Document{.origin = "https://pay.example"});
  reading.frame->parent = parent.frame;
  reading.answer = model::FrameProjection{.focus = "d2e1"};
  reading.answer->elements = {{.ref = "d2e1", .bbox = {0.5, 0.5, 0.1, 0.2}}, {.ref = "d2e2"}};
  reading.answer->texts = {{.text = "inner"}};
  reading.answer->budget.elements = {.total = 5, .omitted = 3};
  return reading;
}

TEST(FrameStateTest, TakesTheMainDocument) {
  const FrameReading main = MainReading();
  model::StructuredState state;

  TakePage(*main.answer, state);
  JoinReading(main, 48, state);

  EXPECT_EQ(state.url, "https://example.com/");
  EXPECT_EQ(state.focus, "d1e9");
  ASSERT_EQ(state.elements.size(), 2U);
  EXPECT_EQ(state.elements[0].fid, "");
  EXPECT_EQ(state.budget.texts.omitted, 7U);
}

TEST(FrameStateTest, JoinsAChildFrameAtItsPlace) {
  const FrameReading main = MainReading();
  model::StructuredState state;
  TakePage(*main.answer, state);
  JoinReading(main, 48, state);

  JoinReading(ChildReading(main), 48, state);

  ASSERT_EQ(state.elements.size(), 4U);
  EXPECT_EQ(state.elements[2].fid, "f2");
  EXPECT_EQ(state.elements[2].bbox, (std::array<double, 4>{0.25, 0.25, 0.03, 0.06}));
  EXPECT_EQ(state.texts.back().fid, "f2");
  EXPECT_EQ(state.frames[1].parent_fid, "f1");
  EXPECT_EQ(state.frames[1].origin, "https://pay.example");
  EXPECT_EQ(state.budget.elements, (model::SectionBudget{.total = 7, .omitted = 3}));
}

TEST(FrameStateTest, CountsTheElementsItLeavesOut) {
  const FrameReading main = MainReading();
  model::StructuredState state;
  TakePage(*main.answer, state);

  JoinReading(ChildReading(main), 1, state);

  EXPECT_EQ(state.elements.size(), 1U);
  EXPECT_EQ(state.budget.elements, (model::SectionBudget{.total = 5, .omitted = 4}));
}

TEST(FrameStateTest, FollowsTheFocusIntoTheFrameThatHasIt) {
  FrameReading main = MainReading();
  main.answer->frames = {{.ref = "d1e9"}};
  model::StructuredState state;
  TakePage(*main.answer, state);
  JoinReading(main, 48, state);

  JoinReading(ChildReading(main), 48, state);

  EXPECT_EQ(state.focus, "d2e1");
}

TEST(FrameStateTest, LeavesTheFocusOfAnotherFrameAlone) {
  const FrameReading main = MainReading();
  model::StructuredState state;
  TakePage(*main.answer, state);
  JoinReading(main, 48, state);

  JoinReading(ChildReading(main), 48, state);

  EXPECT_EQ(state.focus, "d1e9");
}

}  // namespace
}  // namespace falconer::browser
