#include "policy/redaction/payload_class.h"

#include <utility>

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

// How much an action leaves of a value.
int Openness(RedactionAction action) {
  switch (action) {
    case RedactionAction::kAllow:
      return 4;
    case RedactionAction::kMask:
      return 3;
    case RedactionAction::kTokenize:
      return 2;
    case RedactionAction::kHash:
      return 1;
    case RedactionAction::kDrop:
      return 0;
  }
  return 4;
}

TEST(PayloadClassTest, NamesAreInTheOrderOfTheirValues) {
  for (std::size_t i = 0; i < std::size(kPayloadClasses); ++i) {
    EXPECT_EQ(std::to_underlying(kPayloadClasses[i].value), i);
  }
  for (std::size_t i = 0; i < std::size(kSurfaces); ++i) {
    EXPECT_EQ(std::to_underlying(kSurfaces[i].value), i);
  }
}

TEST(PayloadClassTest, CredentialsAndCardsAreShownNowhere) {
  for (const auto& level : kRedactionLevels) {
    for (const auto& surface : kSurfaces) {
      for (const PayloadClass payload : {PayloadClass::kCredential, PayloadClass::kPayment}) {
        EXPECT_NE(ActionFor(surface.value, payload, level.value), RedactionAction::kAllow)
            << surface.name;
      }
    }
  }
}

TEST(PayloadClassTest, StrictNeverShowsMore) {
  for (const auto& surface : kSurfaces) {
    for (const auto& payload : kPayloadClasses) {
      const auto standard = ActionFor(surface.value, payload.value, RedactionLevel::kStandard);
      const auto strict = ActionFor(surface.value, payload.value, RedactionLevel::kStrict);
      EXPECT_LE(Openness(strict), Openness(standard)) << surface.name << " " << payload.name;
    }
  }
}

TEST(PayloadClassTest, MetadataGoesEverywhere) {
  for (const auto& surface : kSurfaces) {
    EXPECT_EQ(ActionFor(surface.value, PayloadClass::kMetadata, RedactionLevel::kStrict),
              RedactionAction::kAllow);
  }
}

}  // namespace
}  // namespace falconer::policy
