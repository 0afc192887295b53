#pragma once
// GrayImage: what a screenshot looks like, small enough to compare: brightness on a grid of fixed
// size, whatever the size of the picture was.

#include <array>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace falconer::engine {

class GrayImage {
 public:
  static constexpr int kWidth = 384;
  static constexpr int kHeight = 256;

  // Decodes a PNG. kInvalidArgument when it is none or larger than any screenshot.
  static Result<GrayImage> FromPng(std::string_view png);

  std::uint8_t at(int x, int y) const { return cells_[Index(x, y)]; }
  // The picture's own size in pixels.
  int source_width() const { return source_width_; }
  int source_height() const { return source_height_; }

 private:
  static std::size_t Index(int x, int y) {
    return static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x);
  }

  std::array<std::uint8_t, static_cast<std::size_t>(kWidth) * kHeight> cells_{};
  int source_width_ = 0;
  int source_height_ = 0;
};

}  // namespace falconer::engine
