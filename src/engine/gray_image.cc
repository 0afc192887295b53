#include "engine/gray_image.h"

#include <png.h>
#include <vector>

namespace falconer::engine {
namespace {

// A page of the longest kind at the largest scale; more is no screenshot of ours.
constexpr std::uint64_t kMostPixels = 400'000'000;

// libpng's state, freed on every way out.
struct Decoder {
  png_image image{};
  Decoder() { image.version = PNG_IMAGE_VERSION; }
  ~Decoder() { png_image_free(&image); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
};

struct Pixels {
  std::vector<std::uint8_t> gray;
  int width = 0;
  int height = 0;
};

Error NoPicture(const png_image& image) {
  return {ErrorCode::kInvalidArgument, std::string("not a PNG picture: ") + image.message};
}

Result<Pixels> Decode(std::string_view png) {
  Decoder decoder;
  png_image& image = decoder.image;
  if (png_image_begin_read_from_memory(&image, png.data(), png.size()) == 0)
    return Fail(NoPicture(image));
  if (std::uint64_t{image.width} * image.height > kMostPixels)
    return Fail(ErrorCode::kInvalidArgument, "the picture is too large to compare");
  image.format = PNG_FORMAT_GRAY;
  Pixels pixels{.gray = std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image)),
                .width = static_cast<int>(image.width),
                .height = static_cast<int>(image.height)};
  const png_color white = {255, 255, 255};
  if (png_image_finish_read(&image, &white, pixels.gray.data(), 0, nullptr) == 0)
    return Fail(NoPicture(image));
  return pixels;
}

struct Span {
  int from;
  int to;
};

// The pixels that fall into a cell; at least one.
Span PixelsOf(int cell, int cells, int pixels) {
  const auto edge = [&](int n) { return static_cast<int>(std::int64_t{n} * pixels / cells); };
  const int from = edge(cell);
  return {from, std::max(edge(cell + 1), from + 1)};
}

std::uint8_t Mean(const Pixels& pixels, Span columns, Span rows) {
  std::uint64_t sum = 0;
  for (int y = rows.from; y < rows.to; ++y) {
    const std::uint8_t* row = pixels.gray.data() + std::size_t(y) * std::size_t(pixels.width);
    for (int x = columns.from; x < columns.to; ++x) sum += row[x];
  }
  const int count = (columns.to - columns.from) * (rows.to - rows.from);
  return static_cast<std::uint8_t>(sum / static_cast<std::uint64_t>(count));
}

}  // namespace

Result<GrayImage> GrayImage::FromPng(std::string_view png) {
  TRY_ASSIGN(const Pixels pixels, Decode(png));
  GrayImage image;
  image.source_width_ = pixels.width;
  image.source_height_ = pixels.height;
  for (int y = 0; y < kHeight; ++y) {
    const Span rows = PixelsOf(y, kHeight, pixels.height);
    for (int x = 0; x < kWidth; ++x)
      image.cells_[Index(x, y)] = Mean(pixels, PixelsOf(x, kWidth, pixels.width), rows);
  }
  return image;
}

}  // namespace falconer::engine
