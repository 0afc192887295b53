#include "browser/tabs/bitmap.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

using model::ImageFormat;

constexpr Bitmap::Pixel kWhitePixel = {255, 255, 255, 255};

// Formats that lose something come close.
void ExpectNear(const Bitmap::Pixel& seen, const Bitmap::Pixel& wanted, const char* where) {
  constexpr int kLoss = 24;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_LE(std::abs(int{seen[i]} - int{wanted[i]}), kLoss) << where << " channel " << i;
}

class BitmapFormatTest : public testing::TestWithParam<ImageFormat> {};

TEST_P(BitmapFormatTest, KeepsWhatWasPaintedOver) {
  Bitmap bitmap(64, 48);
  bitmap.Cover(16, 16, 48, 32);

  const auto bytes = bitmap.Encode(GetParam(), 90);
  ASSERT_TRUE(bytes) << Describe(bytes.error());
  const auto back = Bitmap::Decode(*bytes, GetParam());
  ASSERT_TRUE(back) << Describe(back.error());

  EXPECT_EQ(back->width(), 64);
  EXPECT_EQ(back->height(), 48);
  ExpectNear(back->At(32, 24), Bitmap::kCover, "inside");
  ExpectNear(back->At(17, 17), Bitmap::kCover, "corner");
  ExpectNear(back->At(4, 4), kWhitePixel, "outside");
  ExpectNear(back->At(60, 24), kWhitePixel, "beside");
}

TEST_P(BitmapFormatTest, RefusesWhatIsNoPicture) {
  EXPECT_EQ(Bitmap::Decode("no picture at all", GetParam()).error().code(),
            ErrorCode::kInvalidArgument);
  auto bytes = *Bitmap(64, 48).Encode(GetParam(), 90);
  bytes.resize(20);
  EXPECT_EQ(Bitmap::Decode(bytes, GetParam()).error().code(), ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Formats, BitmapFormatTest,
                         testing::Values(ImageFormat::kPng, ImageFormat::kJpeg,
                                         ImageFormat::kWebp));

TEST(BitmapTest, CoversOnlyWhatLiesInside) {
  Bitmap bitmap(4, 3);

  bitmap.Cover(-5, -5, 1, 1);
  bitmap.Cover(3, 2, 100, 100);
  bitmap.Cover(2, 0, 1, 3);
  bitmap.Cover(50, 50, 60, 60);

  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) {
      const bool is_covered = (x == 0 && y == 0) || (x == 3 && y == 2);
      EXPECT_EQ(bitmap.At(x, y), is_covered ? Bitmap::kCover : kWhitePixel) << x << "," << y;
    }
  }
}

}  // namespace
}  // namespace falconer::browser
