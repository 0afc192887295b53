#include "model/geometry.h"

namespace falconer::model {
Point ReadPoint(JsonReader& in) {
  return {.x = in.Number("x", kCoordinates), .y = in.Number("y", kCoordinates)};
}

json::object PointJson(const Point& point) {
  return {{"x", point.x}, {"y", point.y}};
}

Rect ReadRect(JsonReader& in) {
  return {.x = in.Number("x", kCoordinates),
          .y = in.Number("y", kCoordinates),
          .width = in.Number("width", kSizes),
          .height = in.Number("height", kSizes)};
}

json::object RectJson(const Rect& rect) {
  return {{"x", rect.x}, {"y", rect.y}, {"width", rect.width}, {"height", rect.height}};
}

}  // namespace falconer::model
