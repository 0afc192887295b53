// Numbered boxes in a picture.
#include "engine/vision/marked_view.h"

#include <set>

#include <gtest/gtest.h>

#include "browser/tabs/bitmap.h"

namespace falconer::engine {
namespace {

using browser::Bitmap;

constexpr Bitmap::Pixel kWhitePixel = {255, 255, 255, 255};

PlainView WhiteView() {
  return {.png = Bitmap(200, 100).Encode(model::ImageFormat::kPng, 100).value(), .scale = 0.5};
}

TEST(DrawMarksTest, ABoxIsDrawnAroundTheElementAndNothingOnIt) {
  const VisionCandidate one{
      .number = 3, .ref = "d1e1", .role = "", .name = "", .box = {100, 80, 80, 40}};

  const auto drawn = DrawMarks(WhiteView(), std::span(&one, 1));

  ASSERT_TRUE(drawn);
  const Bitmap picture = Bitmap::Decode(*drawn, model::ImageFormat::kPng).value();
  // It stands from (50, 40) to (90, 60) in the picture.
  const Bitmap::Pixel line = picture.At(49, 50);
  EXPECT_NE(line, kWhitePixel);
  EXPECT_EQ(picture.At(90, 50), line);
  EXPECT_EQ(picture.At(70, 39), line);
  EXPECT_EQ(picture.At(70, 60), line);
  for (const auto& [x, y] : {std::pair(51, 41), {70, 50}, {88, 58}})
    EXPECT_EQ(picture.At(x, y), kWhitePixel) << x << " " << y;
  // The number is above it.
  EXPECT_EQ(picture.At(49, 25), line);
  EXPECT_EQ(picture.At(150, 50), kWhitePixel);
}

TEST(DrawMarksTest, EveryNumberLooksDifferent) {
  std::set<std::string> pictures;
  for (int number = 0; number <= 9; ++number) {
    const VisionCandidate one{
        .number = number, .ref = "", .role = "", .name = "", .box = {0, 0, 80, 40}};
    pictures.insert(DrawMarks(WhiteView(), std::span(&one, 1)).value());
  }
  EXPECT_EQ(pictures.size(), 10U);
}

TEST(DrawMarksTest, WhatLiesOutsideIsLeftOutAndWhatIsNoPictureFails) {
  const VisionCandidate far{
      .number = 1, .ref = "", .role = "", .name = "", .box = {-50, -50, 9000, 9000}};

  EXPECT_TRUE(DrawMarks(WhiteView(), std::span(&far, 1)));
  const auto none = DrawMarks({.png = "no picture", .scale = 1}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace falconer::engine
