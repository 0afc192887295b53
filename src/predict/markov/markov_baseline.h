#pragma once
// MarkovBaseline: first and second order counts, and nothing else: what came most often after the
// last two, else after the last one, else nothing. What the predictor is measured against.

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "predict/markov/predictor.h"

namespace falconer::predict {

class MarkovBaseline {
 public:
  void Observe(std::span<const std::uint64_t> history, std::uint64_t next);
  // Confidence and probability are the share of the counts. Best first; of equals the lesser symbol
  // first. Empty when neither order knows anything.
  std::vector<Prediction> Predict(std::span<const std::uint64_t> history, std::size_t most) const;

 private:
  using Counts = std::unordered_map<std::uint64_t, std::uint32_t>;
  struct PairHash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& pair) const {
      return pair.first * 0x9E3779B97F4A7C15 ^ pair.second;
    }
  };

  std::unordered_map<std::uint64_t, Counts> first_order_;
  std::unordered_map<std::pair<std::uint64_t, std::uint64_t>, Counts, PairHash> second_order_;
};

}  // namespace falconer::predict
