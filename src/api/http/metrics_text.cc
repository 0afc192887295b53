#include "api/http/metrics_text.h"

#include <fmt/format.h>

namespace falconer::api {

void MetricsText::Begin(std::string_view name, std::string_view type, std::string_view help) {
  text_ += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

void MetricsText::Sample(std::string_view name, std::string_view labels, double value) {
  const std::string braces = labels.empty() ? "" : fmt::format("{{{}}}", labels);
  text_ += fmt::format("{}{} {}\n", name, braces, value);
}

void MetricsText::One(std::string_view name, std::string_view type, std::string_view help,
                      double value) {
  Begin(name, type, help);
  Sample(name, "", value);
}

void MetricsText::Histogram(std::string_view name, std::string_view labels,
                            const DurationHistogram& histogram, double in_a_second) {
  const std::string bucket = std::string(name) + "_bucket";
  const std::string before = labels.empty() ? "" : std::string(labels) + ",";
  for (std::size_t i = 0; i < DurationHistogram::kSteps.size(); ++i) {
    Sample(bucket, fmt::format("{}le=\"{}\"", before, DurationHistogram::kSteps[i] * in_a_second),
           static_cast<double>(histogram.within()[i]));
  }
  Sample(bucket, before + "le=\"+Inf\"", static_cast<double>(histogram.count()));
  Sample(std::string(name) + "_sum", labels, histogram.sum() * in_a_second);
  Sample(std::string(name) + "_count", labels, static_cast<double>(histogram.count()));
}

}  // namespace falconer::api
