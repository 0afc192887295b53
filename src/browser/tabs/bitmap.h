#pragma once
// Bitmap: a picture as pixels, to paint over parts of it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/action/action.h"

namespace falconer::browser {

class Bitmap {
 public:
  // Red, green, blue and how opaque.
  using Pixel = std::array<std::uint8_t, 4>;
  // What is painted over what must not be seen.
  static constexpr Pixel kCover = {64, 64, 64, 255};

  // White.
  Bitmap(int width, int height);
  // kInvalidArgument when the bytes are no picture of that format, or a larger one than any of
  // ours.
  static Result<Bitmap> Decode(std::string_view bytes, model::ImageFormat format);

  // How large a picture is, without reading its pixels. Fails as Decode() does.
  struct Size {
    int width = 0;
    int height = 0;
  };
  static Result<Size> SizeOf(std::string_view bytes, model::ImageFormat format);

  // In this format; `quality` (0 to 100) is for those that lose something.
  Result<std::string> Encode(model::ImageFormat format, int quality) const;

  int width() const { return width_; }
  int height() const { return height_; }
  Pixel At(int x, int y) const;

  // Paints everything from (left, top) up to (right, bottom) in one colour. What lies outside of
  // the picture is left out.
  void Paint(int left, int top, int right, int bottom, const Pixel& colour);
  void Cover(int left, int top, int right, int bottom) { Paint(left, top, right, bottom, kCover); }

 private:
  std::size_t Offset(int x, int y) const;

  int width_;
  int height_;
  std::vector<std::uint8_t> rgba_;
};

}  // namespace falconer::browser
