#pragma once
// VisualDiff: how much two pictures of a page differ, cell by cell, leaving out what is masked.

#include <optional>
#include <vector>

#include "engine/gray_image.h"
#include "model/geometry.h"

namespace falconer::engine {

struct VisualDiffOptions {
  int pixel_threshold = 30;  // a cell has changed when its brightness moved by more
  // In pixels of the picture.
  std::optional<model::Rect> region;  // only this part counts
  std::vector<model::Rect> masks;     // these parts do not
};

struct VisualDiff {
  double similarity = 1;  // share of the compared cells that did not change
  int compared_cells = 0;
  int changed_cells = 0;
  std::optional<model::Rect> diff_region;  // around all that changed, in pixels of the picture
};

// kInvalidArgument when the pictures differ in size, or masks leave nothing to compare.
Result<VisualDiff> Compare(const GrayImage& before, const GrayImage& after,
                           const VisualDiffOptions& options);

}  // namespace falconer::engine
