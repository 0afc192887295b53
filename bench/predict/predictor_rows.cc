#include "bench/predict/predictor_rows.h"

#include <chrono>
#include <fmt/format.h>

#include "base/async/clock.h"
#include "bench/predict/plain_way.h"
#include "bench/predict/traffic.h"
#include "bench/samples.h"
#include "predict/markov/predictor.h"
#include "store/sqlite_store.h"

namespace falconer::bench {
namespace {

using Clocked = std::chrono::steady_clock;

constexpr std::size_t kTransitions = 1'000'000;
// What comes in half a second when a step takes ten microseconds.
constexpr std::size_t kBatchSteps = 50'000;
constexpr int kRounds = 5;
constexpr std::size_t kPredictions = 20'000;
constexpr std::size_t kPlainSteps = 2'000;
constexpr std::int32_t kBenchDay = 20'000;
constexpr std::uint64_t kTrafficSeed = 1;

double MicrosTaken(Clocked::time_point start, std::size_t steps) {
  return std::chrono::duration<double, std::micro>(Clocked::now() - start).count() /
         static_cast<double>(steps);
}

double SecondsTaken(Clocked::time_point start) {
  return std::chrono::duration<double>(Clocked::now() - start).count();
}

std::vector<TrafficStep> StepsOf(Traffic& traffic, std::size_t count) {
  std::vector<TrafficStep> steps;
  while (steps.size() < count) steps.push_back(traffic.Next());
  return steps;
}

// What a recorder hands over for a step.
void AddStep(store::LearntBatch& batch, const TrafficStep& step) {
  batch.actions.push_back({.symbol = step.next,
                           .signature = Traffic::SignatureOf(step.next),
                           .action = {{"action_type", "click"}},
                           .page = "https://shop.example/*",
                           .by = store::DoneBy::kAgent,
                           .at_ms = 1});
  store::SeenTransition seen{.to = step.next};
  if (!step.history.empty()) seen.from = step.history.back();
  seen.has_two = step.history.size() > 1;
  if (seen.has_two) seen.from_before = step.history[step.history.size() - 2];
  batch.transitions.push_back(seen);
}

// Learns the steps and keeps them: one batch.
Task<Result<void>> Record(predict::Predictor* predictor, store::PredictionStore* store,
                          const std::vector<TrafficStep>* steps) {
  store::LearntBatch batch{.tenant = TenantId("bench"), .node = "bench"};
  for (const TrafficStep& step : *steps) {
    predictor->Observe(step.history, step.page, step.next, store::DoneBy::kAgent, kBenchDay);
    AddStep(batch, step);
  }
  batch.contexts = predictor->TakeChanged();
  co_return co_await store->PutLearnt(std::move(batch));
}

struct Recorded {
  std::optional<double> record_us;
  std::size_t steps = 0;
};

// Fills the model, then measures batches, each as wide as what went before.
Task<Result<Recorded>> MeasureRecord(predict::Predictor* predictor, store::PredictionStore* store,
                                     Traffic* traffic) {
  Recorded recorded;
  while (predictor->transitions() < kTransitions) {
    const std::vector<TrafficStep> steps = StepsOf(*traffic, kBatchSteps);
    CO_TRY(co_await Record(predictor, store, &steps));
    recorded.steps += steps.size();
  }
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<TrafficStep> steps = StepsOf(*traffic, kBatchSteps);
    const auto start = Clocked::now();
    CO_TRY(co_await Record(predictor, store, &steps));
    rounds.push_back(MicrosTaken(start, steps.size()));
    recorded.steps += steps.size();
  }
  recorded.record_us = PercentileOf(std::move(rounds), 0.5);
  co_return recorded;
}

std::optional<double> MeasurePredict(const predict::Predictor& predictor,
                                     const std::vector<TrafficStep>& steps) {
  std::vector<double> rounds;
  std::size_t known = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Clocked::now();
    for (const TrafficStep& step : steps)
      known += predictor.Predict({.history = step.history, .page = step.page}).size();
    rounds.push_back(MicrosTaken(start, steps.size()));
  }
  return known == 0 ? std::nullopt : PercentileOf(std::move(rounds), 0.5);
}

Task<Result<double>> MeasureLoad(store::PredictionStore* store, std::size_t* rows) {
  const auto start = Clocked::now();
  CO_TRY_ASSIGN(const auto learnt, co_await store->LoadContexts(TenantId("bench"), "bench"));
  predict::Predictor predictor;
  predictor.Load(learnt.own);
  *rows = learnt.own.size();
  co_return SecondsTaken(start);
}

std::vector<std::string> SignaturesOf(const std::vector<std::uint64_t>& symbols) {
  std::vector<std::string> signatures;
  for (const std::uint64_t symbol : symbols) signatures.push_back(Traffic::SignatureOf(symbol));
  return signatures;
}

struct Plain {
  double record_us = 0;
  double predict_us = 0;
};

// The same steps, then as many more measured.
Result<Plain> MeasurePlain(const std::filesystem::path& path, std::size_t learnt) {
  TRY_ASSIGN(PlainWay plain, PlainWay::Open(path));
  Traffic traffic(kTrafficSeed);
  TRY(plain.Begin());
  for (std::size_t at = 0; at < learnt; ++at) {
    const TrafficStep step = traffic.Next();
    TRY(plain.Record(SignaturesOf(step.history), Traffic::SignatureOf(step.next)));
  }
  TRY(plain.Commit());
  std::vector<std::vector<std::string>> histories;
  std::vector<std::string> nexts;
  for (const TrafficStep& step : StepsOf(traffic, kPlainSteps)) {
    histories.push_back(SignaturesOf(step.history));
    nexts.push_back(Traffic::SignatureOf(step.next));
  }
  auto start = Clocked::now();
  for (const auto& history : histories) TRY(plain.Predict(history));
  const double predict_us = MicrosTaken(start, kPlainSteps);
  start = Clocked::now();
  for (std::size_t at = 0; at < kPlainSteps; ++at) TRY(plain.Record(histories[at], nexts[at]));
  return Plain{.record_us = MicrosTaken(start, kPlainSteps), .predict_us = predict_us};
}

Row Timed(std::string name, std::optional<double> value, double baseline, double limit) {
  return {.name = std::move(name),
          .value = value,
          .unit = "us",
          .baseline = Baseline{"a SQLite query or upsert each", baseline, Ratio::kTimesBaseline},
          .aim = Aim{Aim::Bound::kAtMost, limit, Aim::Of::kValue}};
}

Row Plainly(std::string name, double value, std::string unit, double limit) {
  return {.name = std::move(name),
          .value = value,
          .unit = std::move(unit),
          .aim = Aim{Aim::Bound::kAtMost, limit, Aim::Of::kValue}};
}

}  // namespace

Task<Result<std::vector<Row>>> MeasurePredictor(std::filesystem::path folder) {
  SystemClock clock;
  CO_TRY_ASSIGN(const auto store, store::SqliteStore::Open(folder / "control.db", clock));
  // A little above a million, so that nothing is forgotten while it is measured.
  predict::Predictor predictor({.max_transitions = 2 * kTransitions});
  Traffic traffic(kTrafficSeed);
  CO_TRY_ASSIGN(const Recorded recorded, co_await MeasureRecord(&predictor, store.get(), &traffic));
  const auto predict_us = MeasurePredict(predictor, StepsOf(traffic, kPredictions));
  const double bytes =
      static_cast<double>(predictor.bytes()) / static_cast<double>(predictor.transitions());
  std::size_t rows = 0;
  CO_TRY_ASSIGN(const double load_s, co_await MeasureLoad(store.get(), &rows));
  CO_TRY_ASSIGN(const Plain plain, MeasurePlain(folder / "plain.db", recorded.steps));
  co_return std::vector<Row>{
      Timed("predict_us", predict_us, plain.predict_us, 5),
      Timed("record_us", recorded.record_us, plain.record_us, 10),
      Plainly("bytes_per_transition", bytes, "B", 64),
      Plainly("load_1m_s", load_s * kTransitions / static_cast<double>(rows), "s", 1)};
}

}  // namespace falconer::bench
