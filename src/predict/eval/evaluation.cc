#include "predict/eval/evaluation.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <numeric>
#include <random>

#include "predict/markov/markov_baseline.h"

namespace falconer::predict {
namespace {

using Steps = std::vector<std::uint64_t>;
using Chosen = std::vector<const Steps*>;
using Clocked = std::chrono::steady_clock;

constexpr double kAskedThresholds[] = {0.3, 0.5, 0.7};
constexpr std::size_t kPredicted = 3;
constexpr std::size_t kInnerParts = 10;
constexpr std::size_t kInnerFolds = 3;
constexpr std::int32_t kSomeDay = 20'000;

double MicrosSince(Clocked::time_point start) {
  return std::chrono::duration<double, std::micro>(Clocked::now() - start).count();
}

// The sequences in an order that depends on the seed alone, on every machine.
Chosen Shuffled(Chosen sequences, std::uint64_t seed) {
  std::mt19937_64 chance(seed);
  for (std::size_t left = sequences.size(); left > 1; --left)
    std::swap(sequences[left - 1], sequences[chance() % left]);
  return sequences;
}

struct Split {
  Chosen learnt;
  Chosen held_out;
};

Split SplitAt(const Chosen& shuffled, std::size_t part, std::size_t parts) {
  Split split;
  const std::size_t from = shuffled.size() * part / parts;
  const std::size_t to = shuffled.size() * (part + 1) / parts;
  for (std::size_t at = 0; at < shuffled.size(); ++at)
    (at >= from && at < to ? split.held_out : split.learnt).push_back(shuffled[at]);
  return split;
}

// Tells `each` every step with what came before it.
template <typename Each>
void ForEachStep(const Chosen& sequences, Each each) {
  for (const Steps* const steps : sequences)
    for (std::size_t at = 0; at < steps->size(); ++at)
      each(std::span(*steps).first(at), (*steps)[at]);
}

Checked CheckOf(const std::vector<Prediction>& predictions, std::uint64_t came) {
  Checked checked;
  if (predictions.empty()) return checked;
  checked.confidence = static_cast<float>(predictions.front().confidence);
  checked.was_first = predictions.front().symbol == came;
  checked.was_in_three = std::ranges::count(predictions, came, &Prediction::symbol) > 0;
  return checked;
}

struct Timed {
  std::size_t count = 0;
  double micros = 0;
  double each() const { return count == 0 ? 0 : micros / static_cast<double>(count); }
};

// One model, from learning to what it came to.
struct Trial {
  std::vector<Checked> checked;
  Timed observing;
  Timed predicting;
  std::size_t transitions = 0;
};

Trial TryModel(const Split& split, const PredictorOptions& options) {
  Trial trial;
  Predictor predictor(options);
  const auto start = Clocked::now();
  ForEachStep(split.learnt, [&](std::span<const std::uint64_t> history, std::uint64_t next) {
    predictor.Observe(history, 0, next, store::DoneBy::kPerson, kSomeDay);
    ++trial.observing.count;
  });
  trial.observing.micros = MicrosSince(start);
  const auto middle = Clocked::now();
  ForEachStep(split.held_out, [&](std::span<const std::uint64_t> history, std::uint64_t next) {
    trial.checked.push_back(
        CheckOf(predictor.Predict({.history = history, .most = kPredicted}), next));
  });
  trial.predicting = {.count = trial.checked.size(), .micros = MicrosSince(middle)};
  trial.transitions = predictor.transitions();
  return trial;
}

std::vector<Checked> TryBaseline(const Split& split) {
  MarkovBaseline baseline;
  ForEachStep(split.learnt, [&](std::span<const std::uint64_t> history, std::uint64_t next) {
    baseline.Observe(history, next);
  });
  std::vector<Checked> checked;
  ForEachStep(split.held_out, [&](std::span<const std::uint64_t> history, std::uint64_t next) {
    checked.push_back(CheckOf(baseline.Predict(history, kPredicted), next));
  });
  return checked;
}

void Append(std::vector<Checked>& all, const std::vector<Checked>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// What several folds come to together.
struct Sums {
  std::vector<Checked> model;
  std::vector<Checked> baseline;
  std::vector<AtThreshold> executing;
  Timed observing;
  Timed predicting;
};

void AddTime(Timed& sum, const Timed& more) {
  sum.count += more.count;
  sum.micros += more.micros;
}

std::optional<AtThreshold> Together(const std::vector<AtThreshold>& folds, std::size_t steps) {
  if (folds.empty()) return std::nullopt;
  AtThreshold sum;
  double hits = 0;
  for (const AtThreshold& one : folds) {
    sum.threshold += one.threshold / static_cast<double>(folds.size());
    sum.count += one.count;
    hits += one.precision * static_cast<double>(one.count);
  }
  sum.coverage = static_cast<double>(sum.count) / static_cast<double>(steps);
  sum.precision = sum.count == 0 ? 0 : hits / static_cast<double>(sum.count);
  return sum;
}

// The threshold is found on sequences that were learnt, by models that learnt only the others of
// them: nearly as many as the one that it is for.
std::optional<double> ThresholdWithin(const Chosen& learnt, const EvaluationRules& rules) {
  const Chosen shuffled = Shuffled(learnt, rules.seed + 1);
  std::vector<Checked> checked;
  for (std::size_t part = 0; part < kInnerFolds; ++part)
    Append(checked, TryModel(SplitAt(shuffled, part, kInnerParts), rules.model).checked);
  return ThresholdFor(checked, rules.precision);
}

Result<void> CheckRules(const SequenceSet& set, const EvaluationRules& rules) {
  if (rules.parts < 2 || rules.folds < 1 || rules.folds > rules.parts)
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} of {} parts cannot be held out", rules.folds, rules.parts));
  if (set.sequences.size() >= rules.parts) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} sequences cannot be dealt out to {} parts", set.sequences.size(),
                          rules.parts));
}

}  // namespace

json::object Evaluation::ToJson() const {
  json::object told{
      {"held_out", held_out},          {"model", model.ToJson()},
      {"baseline", baseline.ToJson()}, {"top1_gain_points", (model.top1 - baseline.top1) * 100},
      {"executing", nullptr},          {"transitions", transitions},
      {"observe_us", observe_us},      {"predict_us", predict_us}};
  if (executing) told["executing"] = executing->ToJson();
  return told;
}

Result<Evaluation> Evaluate(const SequenceSet& set, const EvaluationRules& rules) {
  TRY(CheckRules(set, rules));
  Chosen all;
  for (const Steps& steps : set.sequences) all.push_back(&steps);
  all = Shuffled(std::move(all), rules.seed);
  Evaluation evaluation;
  Sums sums;
  for (std::size_t fold = 0; fold < rules.folds; ++fold) {
    const Split split = SplitAt(all, fold, rules.parts);
    const Trial trial = TryModel(split, rules.model);
    Append(sums.model, trial.checked);
    Append(sums.baseline, TryBaseline(split));
    AddTime(sums.observing, trial.observing);
    AddTime(sums.predicting, trial.predicting);
    if (const auto threshold = ThresholdWithin(split.learnt, rules))
      sums.executing.push_back(At(trial.checked, *threshold));
    evaluation.held_out += split.held_out.size();
    evaluation.transitions = trial.transitions;
  }
  evaluation.model = ScoreOf(sums.model, kAskedThresholds);
  evaluation.baseline = ScoreOf(sums.baseline, kAskedThresholds);
  evaluation.executing = Together(sums.executing, sums.model.size());
  evaluation.observe_us = sums.observing.each();
  evaluation.predict_us = sums.predicting.each();
  return evaluation;
}

}  // namespace falconer::predict
