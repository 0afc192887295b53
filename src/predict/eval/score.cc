#include "predict/eval/score.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace falconer::predict {
namespace {

constexpr std::size_t kBins = 10;
// Fewer predictions say nothing about a share.
constexpr std::size_t kFewestForShare = 20;

double ShareOf(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

struct Bin {
  double believed = 0;
  double came = 0;

  void Add(const Checked& one) {
    believed += one.confidence;
    came += one.was_first ? 1 : 0;
  }
};

template <typename BinOf>
double ErrorOf(std::span<const Checked> checked, BinOf bin_of) {
  std::array<Bin, kBins> bins{};
  for (std::size_t at = 0; at < checked.size(); ++at)
    bins.at(std::min(bin_of(at), kBins - 1)).Add(checked[at]);
  double error = 0;
  for (const Bin& bin : bins) error += std::abs(bin.believed - bin.came);
  return checked.empty() ? 0 : error / static_cast<double>(checked.size());
}

std::vector<Checked> SurestFirst(std::span<const Checked> checked) {
  std::vector<Checked> sorted(checked.begin(), checked.end());
  std::ranges::sort(sorted, std::greater(), &Checked::confidence);
  return sorted;
}

// The lower end of Wilson's interval of one standard error.
double SafeShare(std::size_t hits, std::size_t count) {
  const auto n = static_cast<double>(count);
  const double share = static_cast<double>(hits) / n;
  const double spread = std::sqrt(share * (1 - share) / n + 1 / (4 * n * n));
  return (share + 1 / (2 * n) - spread) / (1 + 1 / n);
}

}  // namespace

json::object AtThreshold::ToJson() const {
  return {
      {"threshold", threshold}, {"coverage", coverage}, {"precision", precision}, {"count", count}};
}

json::object Score::ToJson() const {
  json::array at;
  for (const AtThreshold& one : thresholds) at.push_back(one.ToJson());
  return {{"steps", steps},
          {"top1", top1},
          {"top3", top3},
          {"calibration_error", calibration_error},
          {"adaptive_calibration_error", adaptive_error},
          {"thresholds", std::move(at)}};
}

AtThreshold At(std::span<const Checked> checked, double threshold) {
  std::size_t count = 0;
  std::size_t hits = 0;
  for (const Checked& one : checked) {
    if (one.confidence <= 0 || one.confidence < threshold) continue;
    ++count;
    hits += one.was_first ? 1 : 0;
  }
  return {.threshold = threshold,
          .coverage = ShareOf(count, checked.size()),
          .precision = ShareOf(hits, count),
          .count = count};
}

Score ScoreOf(std::span<const Checked> checked, std::span<const double> thresholds) {
  const auto first = std::ranges::count_if(checked, &Checked::was_first);
  const auto three = std::ranges::count_if(checked, &Checked::was_in_three);
  const std::vector<Checked> sorted = SurestFirst(checked);
  Score score{.steps = checked.size(),
              .top1 = ShareOf(static_cast<std::size_t>(first), checked.size()),
              .top3 = ShareOf(static_cast<std::size_t>(three), checked.size())};
  score.calibration_error = ErrorOf(checked, [&](std::size_t at) {
    return static_cast<std::size_t>(checked[at].confidence * kBins);
  });
  score.adaptive_error =
      ErrorOf(sorted, [&](std::size_t at) { return at * kBins / sorted.size(); });
  for (const double threshold : thresholds) score.thresholds.push_back(At(checked, threshold));
  return score;
}

std::optional<double> ThresholdFor(std::span<const Checked> checked, double precision) {
  const std::vector<Checked> sorted = SurestFirst(checked);
  std::optional<double> lowest;
  std::size_t hits = 0;
  for (std::size_t at = 0; at < sorted.size() && sorted[at].confidence > 0; ++at) {
    hits += sorted[at].was_first ? 1 : 0;
    const bool is_last_of_equals =
        at + 1 == sorted.size() || sorted[at + 1].confidence < sorted[at].confidence;
    if (is_last_of_equals && at + 1 >= kFewestForShare && SafeShare(hits, at + 1) >= precision)
      lowest = sorted[at].confidence;
  }
  return lowest;
}

}  // namespace falconer::predict
