#include "engine/visual_diff.h"

#include <png.h>
#include <string>

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

constexpr int kWidth = 768;
constexpr int kHeight = 512;

struct Box {
  int x, y, width, height;
  std::uint8_t gray;
};

// A white picture with boxes on it.
std::string Png(const std::vector<Box>& boxes, int width = kWidth, int height = kHeight) {
  std::vector<std::uint8_t> pixels(std::size_t(width) * std::size_t(height), 255);
  for (const Box& box : boxes)
    for (int y = box.y; y < box.y + box.height; ++y)
      for (int x = box.x; x < box.x + box.width; ++x)
        pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)] = box.gray;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(width);
  image.height = png_uint_32(height);
  image.format = PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string out(size, '\0');
  EXPECT_NE(png_image_write_to_memory(&image, out.data(), &size, 0, pixels.data(), 0, nullptr), 0);
  out.resize(size);
  return out;
}

GrayImage Picture(const std::vector<Box>& boxes) {
  auto image = GrayImage::FromPng(Png(boxes));
  EXPECT_TRUE(image);
  return *image;
}

TEST(VisualDiffTest, EqualPicturesAreWhollySimilar) {
  const auto diff = Compare(Picture({{10, 10, 100, 50, 0}}), Picture({{10, 10, 100, 50, 0}}), {});

  ASSERT_TRUE(diff);
  EXPECT_EQ(diff->similarity, 1);
  EXPECT_EQ(diff->changed_cells, 0);
  EXPECT_FALSE(diff->diff_region);
}

TEST(VisualDiffTest, SaysHowMuchChangedAndWhere) {
  const auto diff = Compare(Picture({}), Picture({{200, 100, 192, 128, 0}}), {});

  ASSERT_TRUE(diff);
  EXPECT_NEAR(diff->similarity, 1 - 192.0 * 128 / (kWidth * kHeight), 0.001);
  ASSERT_TRUE(diff->diff_region);
  EXPECT_NEAR(diff->diff_region->x, 200, 2);
  EXPECT_NEAR(diff->diff_region->y, 100, 2);
  EXPECT_NEAR(diff->diff_region->width, 192, 4);
  EXPECT_NEAR(diff->diff_region->height, 128, 4);
}

TEST(VisualDiffTest, SmallShiftsOfBrightnessAreNoChange) {
  const GrayImage before = Picture({{0, 0, 300, 300, 100}});

  EXPECT_EQ(Compare(before, Picture({{0, 0, 300, 300, 130}}), {})->changed_cells, 0);
  EXPECT_GT(Compare(before, Picture({{0, 0, 300, 300, 131}}), {})->changed_cells, 0);
}

TEST(VisualDiffTest, WhatIsMaskedDoesNotCount) {
  const VisualDiffOptions options = {.masks = {{.x = 190, .y = 90, .width = 220, .height = 150}}};

  const auto diff = Compare(Picture({}), Picture({{200, 100, 192, 128, 0}}), options);

  ASSERT_TRUE(diff);
  EXPECT_EQ(diff->changed_cells, 0);
  EXPECT_LT(diff->compared_cells, GrayImage::kWidth * GrayImage::kHeight);
}

TEST(VisualDiffTest, OnlyTheRegionCounts) {
  const auto with_region = [](model::Rect region) {
    return Compare(Picture({}), Picture({{200, 100, 192, 128, 0}}), {.region = region});
  };

  EXPECT_EQ(with_region({.x = 0, .y = 0, .width = 100, .height = 100})->changed_cells, 0);
  EXPECT_EQ(with_region({.x = 200, .y = 100, .width = 192, .height = 128})->similarity, 0);
}

TEST(VisualDiffTest, RefusesWhatCannotBeCompared) {
  const GrayImage picture = Picture({});
  const auto other = GrayImage::FromPng(Png({}, 100, 100));
  ASSERT_TRUE(other);

  EXPECT_EQ(Compare(picture, *other, {}).error().message(),
            "the pictures differ in size: 768x512 and 100x100");
  EXPECT_EQ(
      Compare(picture, picture, {.masks = {{.x = 0, .y = 0, .width = kWidth, .height = kHeight}}})
          .error()
          .message(),
      "region and masks leave nothing to compare");
}

TEST(GrayImageTest, RefusesWhatIsNoPicture) {
  const std::string whole = Png({{10, 10, 100, 50, 0}});
  for (const std::string& bytes : {std::string(), std::string("GIF89a"), whole.substr(0, 60)}) {
    const auto image = GrayImage::FromPng(bytes);
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code(), ErrorCode::kInvalidArgument);
  }
}

TEST(GrayImageTest, TakesPicturesSmallerThanItsGrid) {
  const auto image = GrayImage::FromPng(Png({{0, 0, 5, 10, 0}}, 10, 10));

  ASSERT_TRUE(image);
  EXPECT_EQ(image->at(0, 0), 0);
  EXPECT_EQ(image->at(GrayImage::kWidth - 1, 0), 255);
}

}  // namespace
}  // namespace falconer::engine
