// Which elements are shown to who looks for a target.
#include "engine/vision/vision_candidates.h"

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

model::ElementState ElementNamed(std::string ref, std::string name) {
  model::ElementState element;
  element.ref = std::move(ref);
  element.role = "button";
  element.name = std::move(name);
  element.bbox = {0.1, 0.2, 0.3, 0.05};
  return element;
}

model::ActionContract ContractFor(std::string selector) {
  model::ActionContract contract;
  contract.intent = "finish the order";
  contract.action_spec.target = model::Target();
  contract.action_spec.target->selector = model::MakeNamedSelector(std::move(selector)).value();
  return contract;
}

TEST(VisionCandidatesTest, WordsInCommonComeFirstAndThereAreAtMostFive) {
  model::StructuredState state;
  state.viewport.width = 1000;
  state.viewport.height = 500;
  for (const char* name : {"Help", "Login", "News", "Shop", "More", "Finish my order"})
    state.elements.push_back(ElementNamed("d1e" + std::to_string(state.elements.size()), name));

  const auto candidates = CandidatesIn(state, "finish the order");

  ASSERT_EQ(candidates.size(), kMostVisionCandidates);
  EXPECT_EQ(candidates[0].name, "Finish my order");
  EXPECT_EQ(candidates[0].number, 1);
  EXPECT_EQ(candidates[0].box, (model::Rect{100, 100, 300, 25}));
  EXPECT_EQ(candidates[1].name, "Help");
  EXPECT_EQ(candidates[4].number, 5);
}

TEST(VisionCandidatesTest, WhatNobodyCanPressIsNotShown) {
  model::StructuredState state;
  state.elements.assign(5, ElementNamed("d1e1", "Pay"));
  state.elements[0].visible = false;
  state.elements[1].in_viewport = false;
  state.elements[2].enabled = false;
  state.elements[3].fid = "f2";
  state.elements[4].bbox = {};

  EXPECT_TRUE(CandidatesIn(state, "pay").empty());
}

TEST(VisionCandidatesTest, NamesAreTheTextsOfTheSelectors) {
  EXPECT_EQ(NamesOf(ContractFor("role=button[name=\"Pay now\"]")),
            std::vector<std::string>{"Pay now"});
  EXPECT_EQ(NamesOf(ContractFor("css=.box >> text=Pay")), std::vector<std::string>{"Pay"});
  EXPECT_TRUE(NamesOf(ContractFor("css=#pay")).empty());
  EXPECT_TRUE(NamesOf(ContractFor("text=/pay/i")).empty());
  EXPECT_EQ(WantedOf(ContractFor("css=#pay")), "finish the order; css=#pay");
}

}  // namespace
}  // namespace falconer::engine
