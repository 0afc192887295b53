#include "browser/frames/quad_map.h"

#include <algorithm>
#include <cmath>

namespace falconer::browser {
namespace {

constexpr std::size_t kCorners = 4;
constexpr double kSmallestArea = 1e-3;  // square pixels

struct Corners {
  std::array<double, kCorners> x;
  std::array<double, kCorners> y;
};

double AreaOf(const Corners& c) {
  return std::abs((c.x[2] - c.x[0]) * (c.y[3] - c.y[1]) - (c.x[3] - c.x[1]) * (c.y[2] - c.y[0])) /
         2;
}

}  // namespace

std::optional<QuadMap> QuadMap::Onto(std::span<const double> corners) {
  if (corners.size() != 2 * kCorners) return std::nullopt;
  Corners c;
  for (std::size_t i = 0; i < kCorners; ++i) {
    c.x[i] = corners[2 * i];
    c.y[i] = corners[2 * i + 1];
  }
  const double dx1 = c.x[1] - c.x[2], dx2 = c.x[3] - c.x[2];
  const double dy1 = c.y[1] - c.y[2], dy2 = c.y[3] - c.y[2];
  const double determinant = dx1 * dy2 - dx2 * dy1;
  if (AreaOf(c) < kSmallestArea || determinant == 0) return std::nullopt;
  // What a parallelogram does not have: the two parts of the perspective.
  const double sx = c.x[0] - c.x[1] + c.x[2] - c.x[3];
  const double sy = c.y[0] - c.y[1] + c.y[2] - c.y[3];
  const double g = (sx * dy2 - dx2 * sy) / determinant;
  const double h = (dx1 * sy - sx * dy1) / determinant;
  return QuadMap({c.x[1] - c.x[0] + g * c.x[1], c.x[3] - c.x[0] + h * c.x[3], c.x[0],  //
                  c.y[1] - c.y[0] + g * c.y[1], c.y[3] - c.y[0] + h * c.y[3], c.y[0],  //
                  g, h, 1});
}

QuadMap QuadMap::ToShares(double width, double height) {
  return QuadMap({1 / width, 0, 0, 0, 1 / height, 0, 0, 0, 1});
}

QuadMap QuadMap::Then(const QuadMap& next) const {
  Matrix product{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      for (std::size_t i = 0; i < 3; ++i) {
        product[3 * row + column] += next.matrix_[3 * row + i] * matrix_[3 * i + column];
      }
    }
  }
  return QuadMap(product);
}

model::Point QuadMap::Apply(model::Point point) const {
  const Matrix& m = matrix_;
  const double depth = m[6] * point.x + m[7] * point.y + m[8];
  return {(m[0] * point.x + m[1] * point.y + m[2]) / depth,
          (m[3] * point.x + m[4] * point.y + m[5]) / depth};
}

model::Rect QuadMap::Apply(const model::Rect& area) const {
  const model::Point a = Apply(model::Point{area.x, area.y});
  const model::Point b = Apply(model::Point{area.x + area.width, area.y});
  const model::Point c = Apply(model::Point{area.x + area.width, area.y + area.height});
  const model::Point d = Apply(model::Point{area.x, area.y + area.height});
  const auto [left, right] = std::minmax({a.x, b.x, c.x, d.x});
  const auto [top, bottom] = std::minmax({a.y, b.y, c.y, d.y});
  return {left, top, right - left, bottom - top};
}

}  // namespace falconer::browser
