#pragma once
// Places on a page, in CSS pixels.

#include "base/json/json_reader.h"

namespace falconer::model {

struct Point {
  double x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  bool operator==(const Rect&) const = default;
};

// Both coordinates are required and bounded; what is wrong is reported to `in`.
Point ReadPoint(JsonReader& in);
json::object PointJson(const Point& point);
// As ReadPoint; width and height must be above zero.
Rect ReadRect(JsonReader& in);
json::object RectJson(const Rect& rect);

// No honest page is larger, and sums of such numbers stay exact.
inline constexpr Bounds<double> kCoordinates = {-1e6, 1e6};
inline constexpr Bounds<double> kSizes = {0.01, 1e6};

}  // namespace falconer::model
