#include "predict/markov/forecast.h"

#include <algorithm>
#include <tuple>

namespace falconer::predict {
namespace {

// How much of a long sequence is looked back at.
constexpr std::size_t kLookBack = 128;
// In a long sequence what comes most often was done already: so many times as many are looked at
// to find what is new.
constexpr std::size_t kPassedOver = 4;
// The chance of something nobody has ever seen, for what is learnt from it.
constexpr double kNeverSeen = 1e-5;

bool IsPossible(const SymbolSet& possible, std::uint64_t symbol) {
  return possible.empty() || possible.Contains(symbol);
}

}  // namespace

bool IsLikelier(const Candidate& a, const Candidate& b) {
  return std::make_tuple(-a.probability, a.symbol) < std::make_tuple(-b.probability, b.symbol);
}

BestFacts FactsOf(const Candidate& best) {
  return {.probability = best.probability,
          .order = kContextShapes.at(best.shape).order,
          .seen = best.seen};
}

void Forecast::Make(const Learnt& learnt, const ContextDigests& digests,
                    const PredictQuestion& question, const Scope& scope) {
  for (const std::uint64_t digest : digests)
    if (digest != 0) learnt.counts.Prefetch(digest);
  LookBack(question);
  known_.Clear();
  candidates_.clear();
  weights_.clear();
  voice_count_ = 0;
  // All are found before the first is looked at: each waits for memory while the others do.
  std::array<Successors, kContextShapes.size()> found;
  for (std::size_t shape = 0; shape < digests.size(); ++shape)
    if (digests[shape] != 0) found[shape] = learnt.counts.Find(digests[shape], scope.today);
  for (std::size_t shape = 0; shape < digests.size(); ++shape)
    if (!found[shape].symbols.empty()) Hear(learnt, shape, found[shape], scope);
  Mix();
  Balance(learnt);
}

void Forecast::LookBack(const PredictQuestion& question) {
  done_.Clear();
  habit_ = {};
  const std::size_t steps = std::min(question.history.size(), kLookBack);
  for (const std::uint64_t symbol : question.history.last(steps)) {
    habit_.was_return = done_.Contains(symbol);
    done_.Add(symbol);
  }
  if (steps > 0)
    habit_.share = static_cast<double>(steps - done_.size()) / static_cast<double>(steps);
  possible_.Clear();
  for (const std::uint64_t symbol : question.possible) possible_.Add(symbol);
}

void Forecast::Hear(const Learnt& learnt, std::size_t shape, const Successors& successors,
                    const Scope& scope) {
  Voice& voice = voices_[voice_count_];
  voice = {.all = {.shape = shape}, .fresh = {.shape = shape}, .from = weights_.size()};
  Weigh(voice, successors, learnt.counts, scope);
  voice.to = weights_.size();
  if (voice.all.seen <= 0) return;
  voice.trust_all = learnt.trust.TrustIn(TrustAbout::kAnything, voice.all);
  voice.trust_fresh = learnt.trust.TrustIn(TrustAbout::kNewThings, voice.fresh);
  ++voice_count_;
}

void Forecast::Weigh(Voice& voice, const Successors& successors, const CountTable& counts,
                     const Scope& scope) {
  const std::size_t known = successors.symbols.size();
  const std::size_t most =
      possible_.empty() ? std::min(known, scope.heaviest * kPassedOver) : known;
  std::size_t new_things = 0;
  std::size_t at = 0;
  for (; at < most && (new_things < scope.heaviest || !possible_.empty()); ++at) {
    const double weight = counts.WeightOf(successors.counts[at], scope.today);
    if (weight <= 0 || !IsPossible(possible_, successors.symbols[at])) continue;
    const std::uint32_t candidate = CandidateFor(successors.symbols[at]);
    weights_.push_back({candidate, static_cast<float>(weight)});
    voice.all.seen += weight;
    voice.all.top = std::max(voice.all.top, weight);
    if (candidates_[candidate].is_return) continue;
    ++new_things;
    voice.fresh.seen += weight;
    voice.fresh.top = std::max(voice.fresh.top, weight);
  }
  // What was not looked at is out of reach, and stays in the sum.
  const double rest = at < known ? std::max(0.0, successors.total - voice.all.seen) : 0;
  voice.all.seen += rest;
  voice.fresh.seen += rest;
}

std::uint32_t Forecast::CandidateFor(std::uint64_t symbol) {
  const std::size_t number = known_.Add(symbol);
  if (number == candidates_.size())
    candidates_.push_back({.symbol = symbol, .is_return = done_.Contains(symbol)});
  return static_cast<std::uint32_t>(number);
}

// The longest context is asked first; each leaves to the others what it is not trusted with.
void Forecast::Mix() {
  double left_all = 1;
  double left_fresh = 1;
  for (std::size_t at = voice_count_; at-- > 0;) {
    const Voice& voice = voices_[at];
    const double share_all = left_all * voice.trust_all / voice.all.seen;
    const double share_fresh =
        voice.fresh.seen > 0 ? left_fresh * voice.trust_fresh / voice.fresh.seen : 0;
    left_all *= 1 - voice.trust_all;
    left_fresh *= 1 - voice.trust_fresh;
    for (std::size_t i = voice.from; i < voice.to; ++i) {
      Candidate& candidate = candidates_[weights_[i].candidate];
      candidate.probability += weights_[i].weight * (candidate.is_return ? share_all : share_fresh);
      if (candidate.seen > 0) continue;
      candidate.seen = voice.all.seen;
      candidate.shape = voice.all.shape;
    }
  }
}

// What is done once more has the chance that experience gives it, and what is new the rest.
void Forecast::Balance(const Learnt& learnt) {
  counted_return_ = 0;
  for (const Candidate& candidate : candidates_)
    if (candidate.is_return) counted_return_ += candidate.probability;
  if (counted_return_ <= 0) return;
  const double chance = learnt.returns.Chance(counted_return_, habit_);
  for (Candidate& candidate : candidates_)
    candidate.probability *= candidate.is_return ? chance / counted_return_ : 1 - chance;
}

const Candidate* Forecast::best() const {
  const auto found = std::ranges::min_element(candidates_, IsLikelier);
  return found == candidates_.end() ? nullptr : &*found;
}

void Forecast::Learn(Learnt& learnt, std::uint64_t next, std::int32_t day) const {
  if (const Candidate* const foreseen = best())
    learnt.calibration.Note(FactsOf(*foreseen), foreseen->symbol == next, day);
  const bool is_return = done_.Contains(next);
  if (counted_return_ > 0)
    learnt.returns.Note(ReturnBook::CellOf(counted_return_, habit_), is_return, day);
  LearnTrust(learnt.trust, TrustAbout::kAnything, next, day);
  if (!is_return) LearnTrust(learnt.trust, TrustAbout::kNewThings, next, day);
}

double Forecast::ShareOf(const Voice& voice, TrustAbout about, std::uint64_t next) const {
  const double seen = about == TrustAbout::kAnything ? voice.all.seen : voice.fresh.seen;
  const auto wanted = known_.Find(next);
  if (!wanted || seen <= 0) return 0;
  for (std::size_t i = voice.from; i < voice.to; ++i)
    if (weights_[i].candidate == *wanted) return weights_[i].weight / seen;
  return 0;
}

// Expectation maximisation, one step: how likely it is that each context was the one that decided,
// given what came.
void Forecast::LearnTrust(TrustBook& trust, TrustAbout about, std::uint64_t next,
                          std::int32_t day) const {
  const auto trust_in = [about](const Voice& voice) {
    return about == TrustAbout::kAnything ? voice.trust_all : voice.trust_fresh;
  };
  std::array<double, kContextShapes.size()> shares{};
  std::array<double, kContextShapes.size()> chances{};
  double chance = kNeverSeen;
  for (std::size_t at = 0; at < voice_count_; ++at) {
    shares[at] = ShareOf(voices_[at], about, next);
    chance = trust_in(voices_[at]) * shares[at] + (1 - trust_in(voices_[at])) * chance;
    chances[at] = chance;
  }
  double asked = 1;
  for (std::size_t at = voice_count_; at-- > 0 && asked > kNeverSeen;) {
    const Voice& voice = voices_[at];
    const ContextFacts& facts = about == TrustAbout::kAnything ? voice.all : voice.fresh;
    if (facts.seen <= 0) continue;
    const double blame = asked * trust_in(voice) * shares[at] / chances[at];
    trust.Note(TrustBook::CellOf(about, facts), blame, asked, day);
    asked -= blame;
  }
}

std::size_t Forecast::bytes() const {
  return done_.bytes() + possible_.bytes() + known_.bytes() +
         weights_.capacity() * sizeof(CandidateWeight) + candidates_.capacity() * sizeof(Candidate);
}

}  // namespace falconer::predict
