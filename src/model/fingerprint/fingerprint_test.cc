#include "model/fingerprint/fingerprint.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

Fingerprint SampleFingerprint() {
  return {.role = "button",
          .name = "Add",
          .text = "Add to cart",
          .tag = "button",
          .type = "submit",
          .label = "",
          .attributes = {{"id", "add"}, {"testid", "add-1"}},
          .landmark = "main \"Shop\"",
          .item = "Brass lamp",
          .before = "Lamps",
          .x = 0.5,
          .y = 0.25,
          .is_enabled = false,
          .frame = "https://shop.example/cart",
          .selectors = {"testid=add-1", "role=button[name=\"Add\"]"}};
}

std::string WrongIn(std::string_view text) {
  const auto read = Fingerprint::FromJson(ParseJson(text).value());
  return read ? "" : std::string(read.error().message());
}

TEST(FingerprintTest, ReadsWhatItWrites) {
  const Fingerprint sample = SampleFingerprint();

  EXPECT_EQ(Fingerprint::FromJson(sample.ToJson()).value(), sample);
}

TEST(FingerprintTest, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(json::serialize(Fingerprint{.role = "link"}.ToJson()), R"({"role":"link"})");
  EXPECT_EQ(Fingerprint::FromJson(json::object()).value(), Fingerprint());
}

TEST(FingerprintTest, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(WrongIn(R"({"role": 7})"), "fingerprint.role: expected string, got number");
  EXPECT_NE(WrongIn(R"({"x": 1.5})").find("fingerprint.x"), std::string::npos);
  EXPECT_NE(WrongIn(R"({"colour": "red"})").find("colour"), std::string::npos);
  EXPECT_NE(WrongIn(R"({"attributes": {"id": 7}})").find("fingerprint.attributes"),
            std::string::npos);
  EXPECT_NE(WrongIn("[]"), "");
}

TEST(FingerprintTest, RefusesMoreThanAFingerprintHolds) {
  const std::string long_text(kMaxFingerprintText + 1, 'x');
  json::array many;
  for (std::size_t i = 0; i <= kMaxFingerprintSelectors; ++i) many.push_back("#a");
  json::object attributes;
  for (int i = 0; i < 17; ++i) attributes["a" + std::to_string(i)] = "x";

  EXPECT_FALSE(Fingerprint::FromJson(json::object{{"name", long_text}}));
  EXPECT_FALSE(Fingerprint::FromJson(json::object{{"selectors", many}}));
  EXPECT_FALSE(Fingerprint::FromJson(json::object{{"attributes", attributes}}));
}

}  // namespace
}  // namespace falconer::model
