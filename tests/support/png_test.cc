#include "tests/support/png.h"

#include <png.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace falconer::test {
namespace {

std::string EncodedPng(std::uint32_t width, std::uint32_t height, std::vector<Pixel> pixels) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = width;
  png.height = height;
  png.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&png, nullptr, &size, 0, pixels.data(), 0, nullptr);
  std::string bytes(size, '\0');
  png_image_write_to_memory(&png, bytes.data(), &size, 0, pixels.data(), 0, nullptr);
  return bytes;
}

TEST(PngTest, ReadsBackThePixels) {
  const Pixel red{.red = 255};
  const Pixel blue{.blue = 255};
  const auto image = DecodePng(EncodedPng(2, 1, {red, blue}));

  ASSERT_TRUE(image) << Describe(image.error());
  EXPECT_EQ(image->width(), 2U);
  EXPECT_EQ(image->height(), 1U);
  EXPECT_EQ(image->At(0, 0), red);
  EXPECT_EQ(image->At(1, 0), blue);
}

TEST(PngTest, OutsideIsTransparent) {
  const auto image = DecodePng(EncodedPng(1, 1, {Pixel{}}));

  ASSERT_TRUE(image);
  EXPECT_EQ(image->At(1, 0).alpha, 0);
}

TEST(PngTest, RefusesWhatIsNoPng) {
  EXPECT_EQ(DecodePng("GIF89a").error().code(), ErrorCode::kInvalidArgument);
  const auto cut = EncodedPng(8, 8, std::vector<Pixel>(64)).substr(0, 40);
  EXPECT_EQ(DecodePng(cut).error().code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace falconer::test
