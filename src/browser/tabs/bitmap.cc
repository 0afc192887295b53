#include "browser/tabs/bitmap.h"

#include <algorithm>
#include <memory>
#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <webp/encode.h>

namespace falconer::browser {
namespace {

// A page of the longest kind at the largest scale; more is no screenshot of ours.
constexpr std::int64_t kMostPixels = 400'000'000;
constexpr std::size_t kChannels = std::tuple_size_v<Bitmap::Pixel>;

Error NoPicture(std::string_view why) {
  return {ErrorCode::kInvalidArgument, "not a picture: " + std::string(why)};
}

Error NotWritten(std::string_view why) {
  return {ErrorCode::kInternalError, "the picture cannot be written: " + std::string(why)};
}

Result<void> CheckSize(std::int64_t width, std::int64_t height) {
  if (width > 0 && height > 0 && width * height <= kMostPixels) return {};
  return Fail(NoPicture("its size is out of bounds"));
}

struct PngState {
  png_image image{};
  PngState() { image.version = PNG_IMAGE_VERSION; }
  ~PngState() { png_image_free(&image); }
  PngState(const PngState&) = delete;
  PngState& operator=(const PngState&) = delete;
};

struct FreeTurbo {
  void operator()(void* turbo) const { tjDestroy(turbo); }
};
using Turbo = std::unique_ptr<void, FreeTurbo>;

struct FreeWebp {
  void operator()(std::uint8_t* bytes) const { WebPFree(bytes); }
};

const std::uint8_t* BytesOf(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

std::string TextOf(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// Each reads the size, or the pixels into a buffer that is large enough.
struct Codec {
  model::ImageFormat format;
  Result<Bitmap::Size> (*measure)(std::string_view bytes);
  Result<void> (*read)(std::string_view bytes, Bitmap::Size size, std::vector<std::uint8_t>& rgba);
  Result<std::string> (*write)(Bitmap::Size size, const std::vector<std::uint8_t>& rgba,
                               int quality);
};

Result<Bitmap::Size> MeasurePng(std::string_view bytes) {
  PngState png;
  if (png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()) == 0)
    return Fail(NoPicture(png.image.message));
  TRY(CheckSize(png.image.width, png.image.height));
  return Bitmap::Size{static_cast<int>(png.image.width), static_cast<int>(png.image.height)};
}

Result<void> ReadPng(std::string_view bytes, Bitmap::Size, std::vector<std::uint8_t>& rgba) {
  PngState png;
  if (png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()) == 0)
    return Fail(NoPicture(png.image.message));
  png.image.format = PNG_FORMAT_RGBA;
  if (png_image_finish_read(&png.image, nullptr, rgba.data(), 0, nullptr) == 0)
    return Fail(NoPicture(png.image.message));
  return {};
}

Result<std::string> WritePng(Bitmap::Size size, const std::vector<std::uint8_t>& rgba, int) {
  PngState png;
  png.image.width = static_cast<png_uint_32>(size.width);
  png.image.height = static_cast<png_uint_32>(size.height);
  png.image.format = PNG_FORMAT_RGBA;
  png.image.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(png.image);
  std::string out(bytes, '\0');
  if (png_image_write_to_memory(&png.image, out.data(), &bytes, 0, rgba.data(), 0, nullptr) == 0)
    return Fail(NotWritten(png.image.message));
  out.resize(bytes);
  return out;
}

Result<Bitmap::Size> MeasureJpeg(std::string_view bytes) {
  const Turbo turbo(tjInitDecompress());
  Bitmap::Size size;
  int subsampling = 0;
  int colours = 0;
  if (tjDecompressHeader3(turbo.get(), BytesOf(bytes), bytes.size(), &size.width, &size.height,
                          &subsampling, &colours) != 0)
    return Fail(NoPicture(tjGetErrorStr2(turbo.get())));
  TRY(CheckSize(size.width, size.height));
  return size;
}

Result<void> ReadJpeg(std::string_view bytes, Bitmap::Size size, std::vector<std::uint8_t>& rgba) {
  const Turbo turbo(tjInitDecompress());
  if (tjDecompress2(turbo.get(), BytesOf(bytes), bytes.size(), rgba.data(), size.width, 0,
                    size.height, TJPF_RGBA, 0) != 0)
    return Fail(NoPicture(tjGetErrorStr2(turbo.get())));
  return {};
}

Result<std::string> WriteJpeg(Bitmap::Size size, const std::vector<std::uint8_t>& rgba,
                              int quality) {
  const Turbo turbo(tjInitCompress());
  unsigned char* jpeg = nullptr;
  unsigned long bytes = 0;  // NOLINT(google-runtime-int): the library's own type
  const int failed = tjCompress2(turbo.get(), rgba.data(), size.width, 0, size.height, TJPF_RGBA,
                                 &jpeg, &bytes, TJSAMP_420, std::max(quality, 1), 0);
  std::string out = failed == 0 ? TextOf(jpeg, bytes) : "";
  tjFree(jpeg);
  if (failed != 0) return Fail(NotWritten(tjGetErrorStr2(turbo.get())));
  return out;
}

Result<Bitmap::Size> MeasureWebp(std::string_view bytes) {
  Bitmap::Size size;
  if (WebPGetInfo(BytesOf(bytes), bytes.size(), &size.width, &size.height) == 0)
    return Fail(NoPicture("no WebP"));
  TRY(CheckSize(size.width, size.height));
  return size;
}

Result<void> ReadWebp(std::string_view bytes, Bitmap::Size size, std::vector<std::uint8_t>& rgba) {
  const int stride = size.width * static_cast<int>(kChannels);
  if (WebPDecodeRGBAInto(BytesOf(bytes), bytes.size(), rgba.data(), rgba.size(), stride) == nullptr)
    return Fail(NoPicture("no whole WebP"));
  return {};
}

Result<std::string> WriteWebp(Bitmap::Size size, const std::vector<std::uint8_t>& rgba,
                              int quality) {
  std::uint8_t* webp = nullptr;
  const int stride = size.width * static_cast<int>(kChannels);
  const std::size_t bytes = WebPEncodeRGBA(rgba.data(), size.width, size.height, stride,
                                           static_cast<float>(quality), &webp);
  const std::unique_ptr<std::uint8_t, FreeWebp> owned(webp);
  if (bytes == 0) return Fail(NotWritten("WebP refuses it"));
  return TextOf(webp, bytes);
}

constexpr Codec kCodecs[] = {
    {model::ImageFormat::kPng, &MeasurePng, &ReadPng, &WritePng},
    {model::ImageFormat::kJpeg, &MeasureJpeg, &ReadJpeg, &WriteJpeg},
    {model::ImageFormat::kWebp, &MeasureWebp, &ReadWebp, &WriteWebp},
};

const Codec& CodecOf(model::ImageFormat format) {
  return *std::ranges::find(kCodecs, format, &Codec::format);
}

}  // namespace

Bitmap::Bitmap(int width, int height)
    : width_(width),
      height_(height),
      rgba_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * kChannels, 255) {
}

std::size_t Bitmap::Offset(int x, int y) const {
  const auto index = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
  return (index + static_cast<std::size_t>(x)) * kChannels;
}

Bitmap::Pixel Bitmap::At(int x, int y) const {
  Pixel pixel;
  std::copy_n(rgba_.begin() + static_cast<std::ptrdiff_t>(Offset(x, y)), kChannels, pixel.begin());
  return pixel;
}

Result<Bitmap> Bitmap::Decode(std::string_view bytes, model::ImageFormat format) {
  const Codec& codec = CodecOf(format);
  TRY_ASSIGN(const Bitmap::Size size, codec.measure(bytes));
  Bitmap bitmap(size.width, size.height);
  TRY(codec.read(bytes, size, bitmap.rgba_));
  return bitmap;
}

Result<Bitmap::Size> Bitmap::SizeOf(std::string_view bytes, model::ImageFormat format) {
  return CodecOf(format).measure(bytes);
}

Result<std::string> Bitmap::Encode(model::ImageFormat format, int quality) const {
  return CodecOf(format).write({width_, height_}, rgba_, quality);
}

void Bitmap::Paint(int left, int top, int right, int bottom, const Pixel& colour) {
  left = std::clamp(left, 0, width_);
  right = std::clamp(right, left, width_);
  bottom = std::min(bottom, height_);
  for (int y = std::max(top, 0); y < bottom; ++y) {
    for (int x = left; x < right; ++x) std::ranges::copy(colour, rgba_.data() + Offset(x, y));
  }
}

}  // namespace falconer::browser
