#include "engine/control/foreseen_risk.h"

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

using model::Capability;

model::CapabilitySet NeedsOfClick(const model::Fingerprint& element) {
  const model::ActionSpec spec{.type = model::ActionType::kClick};
  return ForeseenNeeds(spec, &element, "https://shop.example/cart");
}

TEST(ForeseenRiskTest, AnActionNeedsWhatItsTypeNeeds) {
  const model::ActionSpec spec{.type = model::ActionType::kNavigate,
                               .url = "https://shop.example/"};

  EXPECT_EQ(ForeseenNeeds(spec, nullptr, ""), model::CapabilitySet{Capability::kNavigate});
}

TEST(ForeseenRiskTest, AnOrdinaryButtonIsOnlyTouched) {
  EXPECT_EQ(
      NeedsOfClick({.role = "button", .name = "Show more", .tag = "button", .type = "button"}),
      model::CapabilitySet{Capability::kInteract});
}

TEST(ForeseenRiskTest, AButtonThatBuysNeedsMore) {
  const auto needs =
      NeedsOfClick({.role = "button", .name = "Place order", .tag = "button", .type = "submit"});

  EXPECT_TRUE(needs.Contains(Capability::kPurchase));
}

TEST(ForeseenRiskTest, WhatDeletesIsKnownByItsWords) {
  EXPECT_TRUE(NeedsOfClick({.role = "button", .name = "Delete account", .tag = "button"})
                  .Contains(Capability::kDelete));
}

TEST(ForeseenRiskTest, AButtonWithoutWordsGoesByWhatItsAuthorCallsIt) {
  EXPECT_TRUE(
      NeedsOfClick({.role = "button", .tag = "button", .attributes = {{"id", "delete-account"}}})
          .Contains(Capability::kDelete));
}

}  // namespace
}  // namespace falconer::engine
