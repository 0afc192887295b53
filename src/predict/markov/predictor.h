#pragma once
// Predictor: what comes next, from what came before and where one is. A variable-order model:
// contexts of several lengths, with and without the page, weighed by how much each has seen, backed
// off to shorter ones where a longer one knows too little (docs/predict-model.md). In memory; an
// observation updates it at once, and the rows that changed can be taken to be kept. One thread.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "store/prediction_store.h"

namespace falconer::predict {

// The symbol of the beginning and of the end of a sequence.
inline constexpr std::uint64_t kBoundary = 0;

struct PredictorOptions {
  int max_order = 4;
  // Most counts in memory; beyond it those that were not used for the longest time go.
  std::size_t max_transitions = 1'000'000;
  // After so many days a count weighs half; 0 for never.
  double half_life_days = 90;
  // What one that an agent did weighs beside one that a person did: from 0 to 1.
  double agent_weight = 0.5;
  // Whether TakeChanged() is asked from time to time; else nothing is noted for it.
  bool is_kept = true;
};

struct Prediction {
  std::uint64_t symbol = 0;  // kBoundary: that the sequence ends here
  // Calibrated: of predictions of this confidence, that share comes true. Never 1.
  double confidence = 0;
  // What the model says before calibration; those of all that can follow sum up to at most 1.
  double probability = 0;
  // The longest context that knew it.
  int order = 0;
  // How often that context was seen, weighed.
  double seen = 0;
  // "first_order", "second_order", "order_3", ...; with "+page" when the page told.
  std::string_view source;
};

struct PredictQuestion {
  // What was done so far in the sequence, oldest first; only the newest count.
  std::span<const std::uint64_t> history;
  // SymbolOf a page pattern; 0 for unknown.
  std::uint64_t page = 0;
  // When not empty only these can come: those whose element is on the page now.
  std::span<const std::uint64_t> possible = {};
  std::size_t most = 5;
  // Days since 1970, to weigh what is old; 0 for the newest day that is known.
  std::int32_t day = 0;
};

class Predictor {
 public:
  explicit Predictor(PredictorOptions options = {});
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  // `next` came after `history` on the page. What was only predicted teaches nothing:
  // DoneBy::kPrediction changes nothing.
  void Observe(std::span<const std::uint64_t> history, std::uint64_t page, std::uint64_t next,
               store::DoneBy by, std::int32_t day);
  // Best first; of equals the lesser symbol first. Empty when nothing is known.
  std::vector<Prediction> Predict(const PredictQuestion& question) const;

  // What this node counted before; of several rows for the same the counts are added.
  void Load(std::span<const store::ContextRow> rows);
  // What others counted: it tells as much, and stays theirs. TakeChanged() and All() leave it out,
  // or it would count twice once it comes back.
  void LoadOthers(std::span<const store::ContextRow> rows);
  // The own rows that changed since the last time, with their values now; those that had to go
  // count nothing.
  std::vector<store::ContextRow> TakeChanged();
  // All own rows, for other nodes.
  std::vector<store::ContextRow> All() const;

  std::size_t transitions() const;
  std::size_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace falconer::predict
