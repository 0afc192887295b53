#include "engine/visual_diff.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace falconer::engine {
namespace {

constexpr std::size_t kCells = static_cast<std::size_t>(GrayImage::kWidth) * GrayImage::kHeight;

// Which cells count.
class CellMask {
 public:
  CellMask(const GrayImage& image, bool counts)
      : scale_x_(double(GrayImage::kWidth) / image.source_width()),
        scale_y_(double(GrayImage::kHeight) / image.source_height()),
        counts_(kCells, counts) {}

  // Every cell the rectangle touches.
  void Set(const model::Rect& rect, bool counts) {
    const int left = Clamp(rect.x * scale_x_, GrayImage::kWidth);
    const int right = Clamp(std::ceil((rect.x + rect.width) * scale_x_), GrayImage::kWidth);
    const int top = Clamp(rect.y * scale_y_, GrayImage::kHeight);
    const int bottom = Clamp(std::ceil((rect.y + rect.height) * scale_y_), GrayImage::kHeight);
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x) counts_[Index(x, y)] = counts;
  }
  bool Counts(int x, int y) const { return counts_[Index(x, y)]; }

  model::Rect ToPixels(int left, int top, int right, int bottom) const {
    return {.x = left / scale_x_,
            .y = top / scale_y_,
            .width = (right - left) / scale_x_,
            .height = (bottom - top) / scale_y_};
  }

 private:
  static std::size_t Index(int x, int y) {
    return std::size_t(y) * GrayImage::kWidth + std::size_t(x);
  }
  static int Clamp(double edge, int most) {
    return static_cast<int>(std::clamp(edge, 0.0, double(most)));
  }

  double scale_x_;
  double scale_y_;
  std::vector<bool> counts_;
};

CellMask MaskFor(const GrayImage& image, const VisualDiffOptions& options) {
  CellMask mask(image, !options.region);
  if (options.region) mask.Set(*options.region, true);
  for (const model::Rect& hidden : options.masks) mask.Set(hidden, false);
  return mask;
}

// The smallest rectangle around all cells it was told of.
struct Bounds {
  int left = GrayImage::kWidth;
  int top = GrayImage::kHeight;
  int right = 0;
  int bottom = 0;

  void Add(int x, int y) {
    left = std::min(left, x);
    top = std::min(top, y);
    right = std::max(right, x + 1);
    bottom = std::max(bottom, y + 1);
  }
};

}  // namespace

Result<VisualDiff> Compare(const GrayImage& before, const GrayImage& after,
                           const VisualDiffOptions& options) {
  if (before.source_width() != after.source_width() ||
      before.source_height() != after.source_height()) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the pictures differ in size: {}x{} and {}x{}", before.source_width(),
                            before.source_height(), after.source_width(), after.source_height()));
  }
  const CellMask mask = MaskFor(before, options);
  VisualDiff diff;
  Bounds bounds;
  for (int y = 0; y < GrayImage::kHeight; ++y) {
    for (int x = 0; x < GrayImage::kWidth; ++x) {
      if (!mask.Counts(x, y)) continue;
      ++diff.compared_cells;
      if (std::abs(before.at(x, y) - after.at(x, y)) <= options.pixel_threshold) continue;
      ++diff.changed_cells;
      bounds.Add(x, y);
    }
  }
  if (diff.compared_cells == 0)
    return Fail(ErrorCode::kInvalidArgument, "region and masks leave nothing to compare");
  diff.similarity = 1 - double(diff.changed_cells) / diff.compared_cells;
  if (diff.changed_cells > 0)
    diff.diff_region = mask.ToPixels(bounds.left, bounds.top, bounds.right, bounds.bottom);
  return diff;
}

}  // namespace falconer::engine
