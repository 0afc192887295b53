#include "predict/markov/markov_baseline.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace falconer::predict {
namespace {

std::vector<Prediction> SharesOf(const std::unordered_map<std::uint64_t, std::uint32_t>& counts,
                                 int order, std::size_t most) {
  double total = 0;
  for (const auto& [symbol, count] : counts) total += count;
  std::vector<Prediction> shares;
  for (const auto& [symbol, count] : counts)
    shares.push_back({.symbol = symbol,
                      .confidence = count / total,
                      .probability = count / total,
                      .order = order,
                      .seen = total,
                      .source = order == 2 ? "second_order" : "first_order"});
  std::ranges::sort(shares, {}, [](const Prediction& one) {
    return std::make_tuple(-one.probability, one.symbol);
  });
  shares.resize(std::min(shares.size(), most));
  return shares;
}

}  // namespace

void MarkovBaseline::Observe(std::span<const std::uint64_t> history, std::uint64_t next) {
  if (history.empty()) return;
  ++first_order_[history.back()][next];
  if (history.size() < 2) return;
  ++second_order_[{history[history.size() - 2], history.back()}][next];
}

std::vector<Prediction> MarkovBaseline::Predict(std::span<const std::uint64_t> history,
                                                std::size_t most) const {
  if (history.size() >= 2) {
    const auto known = second_order_.find({history[history.size() - 2], history.back()});
    if (known != second_order_.end()) return SharesOf(known->second, 2, most);
  }
  if (history.empty()) return {};
  const auto known = first_order_.find(history.back());
  return known == first_order_.end() ? std::vector<Prediction>() : SharesOf(known->second, 1, most);
}

}  // namespace falconer::predict
