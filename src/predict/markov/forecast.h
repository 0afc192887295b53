#pragma once
// Forecast: what the contexts of one moment say together. Each context gives its share to what it
// knows, as far as it is trusted, and the rest to the next shorter one; what was done already in
// the sequence and what is new are weighed apart. Used again for each question.

#include <array>
#include <cstdint>
#include <vector>

#include "predict/markov/calibration.h"
#include "predict/markov/context_shape.h"
#include "predict/markov/count_table.h"
#include "predict/markov/return_book.h"
#include "predict/markov/symbol_set.h"
#include "predict/markov/trust_book.h"

namespace falconer::predict {

// What a predictor has learnt.
struct Learnt {
  explicit Learnt(const PredictorOptions& options) : counts(options) {}
  CountTable counts;
  TrustBook trust;
  ReturnBook returns;
  Calibration calibration;
};

struct Candidate {
  std::uint64_t symbol = 0;
  double probability = 0;
  double seen = 0;        // by the longest context that knows it
  std::size_t shape = 0;  // of that context
  bool is_return = false;
};

class Forecast {
 public:
  // Looks at the heaviest of a context's counts until it has so many that are new; at all that are
  // possible, if that is said.
  struct Scope {
    std::size_t heaviest = 24;
    std::uint16_t today = 0;
  };

  void Make(const Learnt& learnt, const ContextDigests& digests, const PredictQuestion& question,
            const Scope& scope);
  // Unordered; none is less likely than nothing.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  // The most likely one; of equals the one with the lesser symbol. Null when there is none.
  const Candidate* best() const;

  // Tells the books what came, given that this was foreseen.
  void Learn(Learnt& learnt, std::uint64_t next, std::int32_t day) const;

  std::size_t bytes() const;

 private:
  // One context that knows something, and how its counts are spread.
  struct Voice {
    ContextFacts all;
    ContextFacts fresh;  // of what was not done yet in the sequence
    double trust_all = 0;
    double trust_fresh = 0;
    std::size_t from = 0;  // its weights, in weights_
    std::size_t to = 0;
  };
  struct CandidateWeight {
    std::uint32_t candidate = 0;
    float weight = 0;
  };

  void LookBack(const PredictQuestion& question);
  void Hear(const Learnt& learnt, std::size_t shape, const Successors& successors,
            const Scope& scope);
  void Weigh(Voice& voice, const Successors& successors, const CountTable& counts,
             const Scope& scope);
  std::uint32_t CandidateFor(std::uint64_t symbol);
  void Mix();
  void Balance(const Learnt& learnt);
  void LearnTrust(TrustBook& trust, TrustAbout about, std::uint64_t next, std::int32_t day) const;
  double ShareOf(const Voice& voice, TrustAbout about, std::uint64_t next) const;

  SymbolSet done_;
  SymbolSet possible_;
  SymbolSet known_;
  ReturnHabit habit_;
  double counted_return_ = 0;
  std::array<Voice, kContextShapes.size()> voices_;
  std::size_t voice_count_ = 0;
  std::vector<CandidateWeight> weights_;
  std::vector<Candidate> candidates_;
};

bool IsLikelier(const Candidate& a, const Candidate& b);
BestFacts FactsOf(const Candidate& best);

}  // namespace falconer::predict
