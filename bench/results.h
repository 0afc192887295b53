#pragma once
// What was measured: a number per figure and contestant, and what went wrong on the way.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/samples.h"

namespace falconer::bench {

class Results {
 public:
  void Set(std::string_view figure, std::string_view contestant, std::optional<double> number);
  // Files the median under the figure, the 95th percentile under figure_p95, the size of the
  // answers in KiB under figure_size, and the missed effects.
  void SetSamples(std::string_view figure, std::string_view contestant, const Samples& samples);
  void Trouble(std::string_view figure, std::string_view contestant, std::string_view why);

  std::optional<double> Get(std::string_view figure, std::string_view contestant) const;
  // Operations of this contestant that were done without a confirmed effect.
  std::size_t missed(std::string_view contestant) const;
  const std::vector<std::string>& troubles() const { return troubles_; }

 private:
  std::map<std::pair<std::string, std::string>, double> numbers_;
  std::map<std::string, std::size_t, std::less<>> missed_;
  std::vector<std::string> troubles_;
};

}  // namespace falconer::bench
