#include "engine/vision/marked_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "browser/tabs/bitmap.h"
#include "browser/tabs/picture.h"

namespace falconer::engine {
namespace {

using browser::Bitmap;

// A colour that pages hardly use.
constexpr Bitmap::Pixel kMarkColour = {214, 0, 147, 255};
constexpr Bitmap::Pixel kDigitColour = {255, 255, 255, 255};
constexpr int kLine = 2;
// Each dot of a digit.
constexpr int kDot = 2;
constexpr int kDigitWidth = 5;
constexpr int kDigitHeight = 7;

// Rows of dots, the left one highest.
using Digit = std::array<std::uint8_t, kDigitHeight>;
constexpr Digit kDigits[] = {
    {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110},
    {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
    {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111},
    {0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110},
    {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010},
    {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110},
    {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110},
    {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000},
    {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110},
    {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100},
};

void DrawDigit(Bitmap& picture, int number, int left, int top) {
  const Digit& digit = kDigits[static_cast<std::size_t>(number % 10)];
  for (int y = 0; y < kDigitHeight; ++y) {
    for (int x = 0; x < kDigitWidth; ++x) {
      const bool is_set = (digit[static_cast<std::size_t>(y)] >> (kDigitWidth - 1 - x) & 1) != 0;
      if (!is_set) continue;
      const int at_x = left + x * kDot;
      const int at_y = top + y * kDot;
      picture.Paint(at_x, at_y, at_x + kDot, at_y + kDot, kDigitColour);
    }
  }
}

struct PixelBox {
  int left, top, right, bottom;
};

PixelBox PixelsOf(const model::Rect& box, double scale) {
  const auto pixel = [&](double value) { return static_cast<int>(std::lround(value * scale)); };
  return {pixel(box.x), pixel(box.y), pixel(box.x + box.width), pixel(box.y + box.height)};
}

void DrawBox(Bitmap& picture, const PixelBox& box) {
  const auto [left, top, right, bottom] = box;
  picture.Paint(left - kLine, top - kLine, right + kLine, top, kMarkColour);
  picture.Paint(left - kLine, bottom, right + kLine, bottom + kLine, kMarkColour);
  picture.Paint(left - kLine, top, left, bottom, kMarkColour);
  picture.Paint(right, top, right + kLine, bottom, kMarkColour);
}

// Above the box where there is room, so that it hides nothing of the element.
void DrawNumber(Bitmap& picture, const PixelBox& box, int number) {
  constexpr int kWidth = kDigitWidth * kDot + 2 * kLine;
  constexpr int kHeight = kDigitHeight * kDot + 2 * kLine;
  const int left = std::clamp(box.left - kLine, 0, std::max(0, picture.width() - kWidth));
  const int top = box.top - kHeight >= 0 ? box.top - kHeight : std::max(0, box.top);
  picture.Paint(left, top, left + kWidth, top + kHeight, kMarkColour);
  DrawDigit(picture, number, left + kLine, top + kLine);
}

}  // namespace

double MarkedScale(const browser::Tab& tab) {
  const auto& viewport = tab.viewport();
  return std::min({kMarkedWidth / viewport.width, kMarkedHeight / viewport.height, 1.0});
}

Task<Result<PlainView>> TakeView(CallContext ctx, std::shared_ptr<browser::Tab> tab, double scale) {
  CO_TRY_ASSIGN(const auto metrics,
                co_await tab->session()->Send(ctx, cdp::PageGetLayoutMetrics{}));
  const auto& view = metrics.css_layout_viewport;
  const auto& viewport = tab->viewport();
  cdp::PageCaptureScreenshot how{.format = "png", .optimize_for_speed = true};
  how.clip = cdp::Clip{.x = static_cast<double>(view.page_x),
                       .y = static_cast<double>(view.page_y),
                       .width = static_cast<double>(viewport.width),
                       .height = static_cast<double>(viewport.height),
                       .scale = scale / viewport.scale};
  CO_TRY_ASSIGN(std::string png, co_await browser::TakePicture(ctx, tab, std::move(how)));
  co_return PlainView{.png = std::move(png), .scale = scale};
}

Result<std::string> DrawMarks(const PlainView& view, std::span<const VisionCandidate> candidates) {
  TRY_ASSIGN(Bitmap picture, Bitmap::Decode(view.png, model::ImageFormat::kPng));
  for (const VisionCandidate& one : candidates) DrawBox(picture, PixelsOf(one.box, view.scale));
  for (const VisionCandidate& one : candidates)
    DrawNumber(picture, PixelsOf(one.box, view.scale), one.number);
  return picture.Encode(model::ImageFormat::kPng, 100);
}

}  // namespace falconer::engine
