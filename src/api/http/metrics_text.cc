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

}  // namespace falconer::api
