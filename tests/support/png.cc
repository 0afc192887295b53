#include "tests/support/png.h"

#include <png.h>
#include <string>
#include <utility>

namespace falconer::test {

Pixel Image::At(std::uint32_t x, std::uint32_t y) const {
  if (x >= width_ || y >= height_) return {.alpha = 0};
  return pixels_[std::size_t{y} * width_ + x];
}

Result<Image> DecodePng(std::string_view bytes) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) {
    return Fail(ErrorCode::kInvalidArgument, "not a PNG: " + std::string(png.message));
  }
  png.format = PNG_FORMAT_RGBA;
  std::vector<Pixel> pixels(std::size_t{png.width} * png.height);
  static_assert(sizeof(Pixel) == 4, "decoded in place");
  if (png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr) == 0) {
    return Fail(ErrorCode::kInvalidArgument, "broken PNG: " + std::string(png.message));
  }
  return Image(png.width, png.height, std::move(pixels));
}

}  // namespace falconer::test
