#include "model/state/projection.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

// An answer of the script with everything in it that can be null or absent.
constexpr const char* kAnswer = R"({
  "url":"https://example.com/","title":"Shop","phase":"complete",
  "scroll":{"x":0,"y":10,"max_x":0,"max_y":500},"viewport":{"width":1000,"height":500},"focus":"d1e9",
  "elements":[
    {"ref":"d1e1","role":"textbox","name":"Email","tag":"input","type":"email","enabled":true,"visible":true,
     "in_viewport":true,"invalid":true,"required":true,"value_hint":"a","bbox":[0.1,0.2,0.5,0.1],"form":"d1e3"},
    {"ref":"d1e2","role":"combobox","name":"Country","tag":"select","enabled":false,"visible":true,"in_viewport":false,
     "checked":"mixed","level":2,"options":[{"label":"A"},{"label":"B","selected":true}],"options_total":30,
     "bbox":[0,0,1,1],"in_overlay":true,"obscured":true,"group":"Row"}],
  "texts":[{"kind":"heading","text":"Welcome","ref":"d1e4","level":1},{"kind":"text","text":"x","unseen":{"font_px":2,"is_covered":true}}],
  "forms":[{"ref":"d1e3","name":"Join","fields":["d1e1"],"required_missing":1,"submit":null,"invalid":["d1e1"]}],
  "errors":[{"ref":"d1e5","kind":"banner","text":"Bad","field":null}],
  "frames":[{"index":null,"handle":7,"ref":"d1e9","rect":{"x":8,"y":20.5,"width":300,"height":150},
             "visible":true,"in_viewport":true,"src_origin":"https://other.example"}],
  "counts":{"nodes_visited":50,"elements_total":2,"elements_returned":2,"elements_omitted":0,"texts_total":9,
            "texts_returned":2,"texts_omitted":7,"forms_total":1,"forms_returned":1,"forms_omitted":0,
            "errors_total":1,"errors_returned":1,"errors_omitted":0},
  "content_hash":"0123456789abcdef"})";

FrameProjection Answer() {
  auto projection = FrameProjection::FromJson(*ParseJson(kAnswer));
  EXPECT_TRUE(projection) << Describe(projection.error());
  return projection ? *std::move(projection) : FrameProjection();
}

TEST(FrameProjectionTest, ReadsAnAnswer) {
  const FrameProjection projection = Answer();

  EXPECT_EQ(projection.phase, PagePhase::kComplete);
  EXPECT_EQ(projection.scroll.max_y, 500);
  ASSERT_EQ(projection.elements.size(), 2U);
  EXPECT_EQ(projection.texts.back().unseen, (TextVisibility{.font_px = 2, .is_covered = true}));
  EXPECT_EQ(projection.elements[0].value_hint, "a");
  EXPECT_EQ(projection.elements[1].checked, Toggle::kMixed);
  EXPECT_FALSE(projection.elements[1].in_viewport);
  EXPECT_TRUE(projection.elements[1].options[1].selected);
  EXPECT_EQ(projection.forms[0].submit, "");
  EXPECT_EQ(projection.errors[0].field, "");
  ASSERT_EQ(projection.frames.size(), 1U);
  EXPECT_EQ(projection.frames[0].index, std::nullopt);
  EXPECT_EQ(projection.frames[0].rect, (Rect{8, 20.5, 300, 150}));
  EXPECT_EQ(projection.budget.texts, (SectionBudget{.total = 9, .omitted = 7}));
  EXPECT_EQ(projection.nodes_visited, 50U);
}

TEST(FrameProjectionTest, RefusesAnotherForm) {
  for (const char* text : {"[]", R"({"counts":{}})", R"({"counts":5})",
                           R"({"elements":[{"ref":5}]})", R"({"html":"x"})"}) {
    const auto projection = FrameProjection::FromJson(*ParseJson(text));
    ASSERT_FALSE(projection) << text;
    EXPECT_EQ(projection.error().code(), ErrorCode::kProtocolError);
  }
}

TEST(FrameProjectionTest, NamesTheFieldAtFault) {
  const auto projection = FrameProjection::FromJson(*ParseJson(R"({"elements":[{"ref":5}]})"));

  ASSERT_FALSE(projection);
  EXPECT_EQ(projection.error().message(), "state.elements[0].ref: expected string, got number");
}

}  // namespace
}  // namespace falconer::model
