#include "bench/results.h"

#include <fmt/format.h>

namespace falconer::bench {

void Results::Set(std::string_view figure, std::string_view contestant,
                  std::optional<double> number) {
  if (number) numbers_[{std::string(figure), std::string(contestant)}] = *number;
}

void Results::SetSamples(std::string_view figure, std::string_view contestant,
                         const Samples& samples) {
  Set(figure, contestant, samples.Percentile(0.5));
  Set(fmt::format("{}_p95", figure), contestant, samples.Percentile(0.95));
  if (const auto bytes = samples.MedianBytes(); bytes && *bytes > 0) {
    Set(fmt::format("{}_size", figure), contestant, *bytes / 1024);
  }
  if (samples.missed() == 0) return;
  missed_[std::string(contestant)] += samples.missed();
  Trouble(figure, contestant,
          fmt::format("{} missed, first: {}", samples.missed(), samples.first_miss()));
}

void Results::Trouble(std::string_view figure, std::string_view contestant, std::string_view why) {
  troubles_.push_back(fmt::format("{}: {}: {}", figure, contestant, why));
}

std::optional<double> Results::Get(std::string_view figure, std::string_view contestant) const {
  const auto found = numbers_.find({std::string(figure), std::string(contestant)});
  if (found == numbers_.end()) return {};
  return found->second;
}

std::size_t Results::missed(std::string_view contestant) const {
  const auto found = missed_.find(contestant);
  return found == missed_.end() ? 0 : found->second;
}

}  // namespace falconer::bench
