#pragma once
// QuadMap: how one flat thing lies on another: a unit square on any quadrilateral, also one that is
// seen in perspective. Frames lie so on their pages, which may scale, turn and tilt them.

#include <array>
#include <optional>
#include <span>

#include "model/geometry.h"

namespace falconer::browser {

class QuadMap {
 public:
  // From shares (0 to 1) to the quadrilateral with these corners: x and y of the place of (0, 0),
  // (1, 0), (1, 1) and (0, 1). Nothing when it has no area.
  static std::optional<QuadMap> Onto(std::span<const double> corners);
  // From pixels of an area of this size, which must not be empty, to shares of it.
  static QuadMap ToShares(double width, double height);

  // This and then `next`.
  QuadMap Then(const QuadMap& next) const;
  model::Point Apply(model::Point point) const;
  // The smallest upright rectangle that holds all of what `area` becomes.
  model::Rect Apply(const model::Rect& area) const;

 private:
  // Rows of a projective matrix.
  using Matrix = std::array<double, 9>;
  explicit QuadMap(const Matrix& matrix) : matrix_(matrix) {}

  Matrix matrix_;
};

}  // namespace falconer::browser
