#pragma once
// Evaluation: how well the predictor foretells sequences that it has not seen. Whole sequences are
// held out: the model learns the others, then predicts each step of those held out, without
// learning from them. The same is done with first and second order counts alone.

#include <optional>

#include "predict/eval/score.h"
#include "predict/eval/sequence_file.h"
#include "predict/markov/predictor.h"

namespace falconer::predict {

struct EvaluationRules {
  // Decides which sequences are held out.
  std::uint64_t seed = 1;
  // Sequences are dealt out to so many parts; each part is held out once.
  std::size_t parts = 5;
  // How many of the parts are held out, one after the other. 1 is one split of 80 to 20.
  std::size_t folds = 1;
  // What must come true of what is carried out, at the executing threshold.
  double precision = 0.95;
  PredictorOptions model = {.max_transitions = 50'000'000, .half_life_days = 0, .is_kept = false};
};

struct Evaluation {
  std::size_t held_out = 0;  // sequences
  Score model;
  Score baseline;
  // Found on the training sequences alone, by holding out some of them; the mean of the folds.
  // Nothing when no threshold is good enough there.
  std::optional<AtThreshold> executing;
  std::size_t transitions = 0;  // in the last model
  double observe_us = 0;        // for each observation and each prediction
  double predict_us = 0;

  json::object ToJson() const;
};

// kInvalidArgument when there are fewer sequences than parts, or no part is held out.
Result<Evaluation> Evaluate(const SequenceSet& set, const EvaluationRules& rules = {});

}  // namespace falconer::predict
