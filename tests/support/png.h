#pragma once
// Reads the pixels of a PNG, so that a test can say what a screenshot must show.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace falconer::test {

struct Pixel {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  std::uint8_t alpha = 255;
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

class Image {
 public:
  Image(std::uint32_t width, std::uint32_t height, std::vector<Pixel> pixels)
      : width_(width), height_(height), pixels_(std::move(pixels)) {}

  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  // Outside the image: transparent black.
  Pixel At(std::uint32_t x, std::uint32_t y) const;

 private:
  std::uint32_t width_;
  std::uint32_t height_;
  std::vector<Pixel> pixels_;
};

// Fails with kInvalidArgument when the bytes are no PNG.
Result<Image> DecodePng(std::string_view bytes);

}  // namespace falconer::test
