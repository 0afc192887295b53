#include "predict/markov/predictor.h"

#include <algorithm>
#include <array>

#include "predict/markov/forecast.h"

namespace falconer::predict {
namespace {

std::uint16_t PredictorDay(std::int32_t day) {
  return static_cast<std::uint16_t>(std::clamp(day, 0, 0xffff));
}

// What the best is believed more or less after calibration, the others are left with less or more.
// None is believed more than the best.
std::vector<Prediction> Calibrated(const Calibration& calibration,
                                   std::span<const Candidate> best) {
  std::vector<Prediction> predictions;
  if (best.empty()) return predictions;
  const double first = best.front().probability;
  const double confidence = calibration.ConfidenceOf(FactsOf(best.front()));
  const double scale = first < 1 ? std::min(1.0, (1 - confidence) / (1 - first)) : 0;
  predictions.reserve(best.size());
  for (const Candidate& candidate : best) {
    const ContextShape& shape = kContextShapes.at(candidate.shape);
    const bool is_first = predictions.empty();
    predictions.push_back(
        {.symbol = candidate.symbol,
         .confidence = is_first ? confidence : std::min(confidence, candidate.probability * scale),
         .probability = candidate.probability,
         .order = shape.order,
         .seen = candidate.seen,
         .source = shape.source});
  }
  return predictions;
}

}  // namespace

struct Predictor::Impl {
  explicit Impl(const PredictorOptions& settings) : options(settings), learnt(settings) {
    options.max_order = std::clamp(options.max_order, 0, kLongestOrder);
  }

  std::array<TallyBook*, 3> Books() {
    return {&learnt.trust.book(), &learnt.returns.book(), &learnt.calibration.book()};
  }
  TallyBook* BookOf(std::uint64_t context) {
    for (TallyBook* book : Books())
      if (book->context() == context) return book;
    return nullptr;
  }
  void Load(const store::ContextRow& row, const Evidence& evidence) {
    newest_day = std::max(newest_day, PredictorDay(row.day));
    learnt.counts.Add(row, evidence, EvidenceFrom::kStore);
  }

  PredictorOptions options;
  Learnt learnt;
  std::uint16_t newest_day = 0;
  Forecast forecast;  // what it needs for one question
};

Predictor::Predictor(PredictorOptions options) : impl_(std::make_unique<Impl>(options)) {
}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

void Predictor::Observe(std::span<const std::uint64_t> history, std::uint64_t page,
                        std::uint64_t next, store::DoneBy by, std::int32_t day) {
  if (by == store::DoneBy::kPrediction) return;
  Impl& impl = *impl_;
  impl.newest_day = std::max(impl.newest_day, PredictorDay(day));
  const ContextDigests digests = DigestsOf(history, page, impl.options.max_order);
  // What would have been said is what the books learn from.
  impl.forecast.Make(impl.learnt, digests, {.history = history, .page = page},
                     {.today = impl.newest_day});
  impl.forecast.Learn(impl.learnt, next, impl.newest_day);
  const bool is_person = by == store::DoneBy::kPerson;
  const Evidence evidence{.person = is_person ? 1.0F : 0.0F, .agent = is_person ? 0.0F : 1.0F};
  for (const std::uint64_t digest : digests)
    if (digest != 0)
      impl.learnt.counts.Add({.context = digest, .next = next, .day = day}, evidence,
                             EvidenceFrom::kNow);
}

std::vector<Prediction> Predictor::Predict(const PredictQuestion& question) const {
  Impl& impl = *impl_;
  const std::uint16_t today = std::max(impl.newest_day, PredictorDay(question.day));
  Forecast::Scope scope{.today = today};
  scope.heaviest = std::max(scope.heaviest, question.most);
  const ContextDigests digests = DigestsOf(question.history, question.page, impl.options.max_order);
  impl.forecast.Make(impl.learnt, digests, question, scope);
  std::vector<Candidate> best(impl.forecast.candidates());
  const std::size_t most = std::min(question.most, best.size());
  const auto end = best.begin() + static_cast<std::ptrdiff_t>(most);
  std::ranges::partial_sort(best, end, IsLikelier);
  return Calibrated(impl.learnt.calibration, std::span(best).first(most));
}

void Predictor::Load(std::span<const store::ContextRow> rows) {
  for (const store::ContextRow& row : rows) {
    if (TallyBook* const book = impl_->BookOf(row.context)) {
      book->Load(row);
    } else {
      impl_->Load(row, {.person = row.by_person, .agent = row.by_agent});
    }
  }
}

void Predictor::LoadOthers(std::span<const store::ContextRow> rows) {
  const auto agent_weight = static_cast<float>(std::clamp(impl_->options.agent_weight, 0.0, 1.0));
  for (const store::ContextRow& row : rows) {
    if (TallyBook* const book = impl_->BookOf(row.context)) {
      book->LoadOthers(row);
    } else {
      impl_->Load(row, {.others = row.by_person + row.by_agent * agent_weight});
    }
  }
}

std::vector<store::ContextRow> Predictor::TakeChanged() {
  std::vector<store::ContextRow> rows;
  impl_->learnt.counts.TakeChanged(rows);
  for (TallyBook* book : impl_->Books()) book->TakeChanged(rows);
  return rows;
}

std::vector<store::ContextRow> Predictor::All() const {
  std::vector<store::ContextRow> rows;
  impl_->learnt.counts.AppendAll(rows);
  for (const TallyBook* book : impl_->Books()) book->AppendAll(rows);
  return rows;
}

std::size_t Predictor::transitions() const {
  return impl_->learnt.counts.transitions();
}

std::size_t Predictor::bytes() const {
  std::size_t sum = sizeof(Impl) + impl_->learnt.counts.bytes() + impl_->forecast.bytes();
  for (const TallyBook* book : impl_->Books()) sum += book->bytes();
  return sum;
}

}  // namespace falconer::predict
