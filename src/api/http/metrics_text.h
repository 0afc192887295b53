#pragma once
// MetricsText: numbers in the text form that Prometheus reads.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/duration_histogram.h"

namespace falconer::api {

class MetricsText {
 public:
  // "gauge" goes up and down, "counter" only up. Before its samples.
  void Begin(std::string_view name, std::string_view type, std::string_view help);
  // `labels` as `state="approved"`; "" for none.
  void Sample(std::string_view name, std::string_view labels, double value);
  // One of its kind.
  void One(std::string_view name, std::string_view type, std::string_view help, double value);

  // The samples of one histogram; Begin() with "histogram" comes before the first. In seconds, or
  // in what a second has so many of.
  void Histogram(std::string_view name, std::string_view labels, const DurationHistogram& histogram,
                 double in_a_second = 1);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace falconer::api
