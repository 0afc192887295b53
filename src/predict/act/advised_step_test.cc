#include "predict/act/advised_step.h"

#include <gtest/gtest.h>

#include "predict/act/step_contract.h"

namespace falconer::predict {
namespace {

const ParameterValues kValues = {{"full_name", "Ada Lovelace"}, {"product", "Huila"}};
constexpr char kWhere[] = "https://shop.example/checkout?who=Ada";

std::vector<engine::SeenElement> Page() {
  return {{.ref = "d1e1",
           .fingerprint = {.role = "button",
                           .name = "Accept all",
                           .tag = "button",
                           .selectors = {"id=accept", "role=button[name=\"Accept all\"]"}}},
          {.ref = "d1e2",
           .fingerprint = {.role = "textbox",
                           .name = "Full name",
                           .tag = "input",
                           .selectors = {"label=\"Full name\""}}},
          {.ref = "d1e3",
           .fingerprint = {.role = "link",
                           .name = "Huila",
                           .tag = "a",
                           .selectors = {"id=c1", "role=link[name=\"Huila\"]"}}}};
}

Result<AdvisedAction> Advised(json::object spec) {
  return AdvisedFrom(spec, Page(), kValues, kWhere);
}

TEST(AdvisedStepTest, ActsOnTheVeryElementAndKeepsItsSelectors) {
  const auto advised = Advised({{"action_type", "click"}, {"target_eid", "d1e1"}});

  ASSERT_TRUE(advised) << advised.error().message();
  EXPECT_EQ(advised->now.contract.at("action_spec").at("target_eid"), "d1e1");
  EXPECT_TRUE(advised->can_be_kept);
  EXPECT_EQ(SelectorsOf(advised->kept).front(), "id=accept");
  EXPECT_FALSE(advised->kept.contract.at("action_spec").as_object().contains("target_eid"));
  EXPECT_EQ(advised->kept.intent, "click button \"Accept all\"");
  EXPECT_EQ(advised->kept.id, "click-accept-all");
  EXPECT_EQ(advised->kept.page, "https://shop.example/checkout?who");
  EXPECT_FALSE(advised->kept.signature.empty());
}

TEST(AdvisedStepTest, TypesTheValueAndKeepsTheName) {
  const auto advised =
      Advised({{"action_type", "fill"}, {"target_eid", "d1e2"}, {"text", "{full_name}"}});

  ASSERT_TRUE(advised) << advised.error().message();
  EXPECT_EQ(advised->now.contract.at("action_spec").at("text"), "Ada Lovelace");
  EXPECT_EQ(advised->kept.contract.at("action_spec").at("text"), "{full_name}");
  EXPECT_TRUE(advised->can_be_kept);
  EXPECT_FALSE(json::serialize(advised->kept.contract).contains("Ada"));
}

TEST(AdvisedStepTest, WhatTheModelMadeUpIsNotKept) {
  const auto advised =
      Advised({{"action_type", "fill"}, {"target_eid", "d1e2"}, {"text", "anything"}});

  ASSERT_TRUE(advised);
  EXPECT_FALSE(advised->can_be_kept);
}

TEST(AdvisedStepTest, AnElementThatSaysAValueIsKeptByItsParameter) {
  const auto advised = Advised({{"action_type", "click"}, {"target_eid", "d1e3"}});

  ASSERT_TRUE(advised);
  EXPECT_EQ(advised->kept.element->name, "{product}");
  EXPECT_EQ(SelectorsOf(advised->kept),
            (std::vector<std::string>{"role=link[name=\"{product}\"]"}));
}

TEST(AdvisedStepTest, RefusesWhatWasNotSeen) {
  const json::object bad[] = {
      {{"action_type", "click"}, {"target_eid", "d9e9"}},
      {{"action_type", "click"}, {"selector", "id=accept"}},
      {{"action_type", "click"}, {"target", {{"eid", "d1e1"}}}},
      {{"action_type", "fill"}, {"target_eid", "d1e2"}, {"text", "{password}"}},
      {{"action_type", "fill"}, {"target_eid", "d1e2"}},
      {{"action_type", "levitate"}},
      {{"target_eid", "d1e1"}},
  };
  for (const json::object& spec : bad)
    EXPECT_EQ(Advised(spec).error().code(), ErrorCode::kProviderAnswerInvalid)
        << json::serialize(spec);
}

TEST(AdvisedStepTest, AnActionNeedsNoElement) {
  const auto advised = Advised({{"action_type", "press"}, {"key", "Escape"}});

  ASSERT_TRUE(advised) << advised.error().message();
  EXPECT_TRUE(advised->ref.empty());
  EXPECT_TRUE(advised->can_be_kept);
}

}  // namespace
}  // namespace falconer::predict
