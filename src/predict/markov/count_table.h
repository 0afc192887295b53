#pragma once
// CountTable: how often what came in which context. Of a context's counts the heaviest come first.
// Bounded: beyond so many counts those that were not used for the longest time go, a few with each
// that comes.

#include <cstdint>
#include <span>
#include <vector>

#include "predict/markov/context_index.h"
#include "predict/markov/count_arena.h"
#include "predict/markov/half_life.h"
#include "predict/markov/predictor.h"
#include "store/prediction_store.h"

namespace falconer::predict {

// What came in one context. Valid until something is added.
struct Successors {
  std::span<const std::uint64_t> symbols;
  std::span<const SymbolCount> counts;  // of the symbols, in the same order
  double total = 0;                     // their weights together
};

// What is added to a count.
struct Evidence {
  float person = 0;
  float agent = 0;
  float others = 0;
};

enum class EvidenceFrom : std::uint8_t { kNow, kStore };

class CountTable {
 public:
  explicit CountTable(const PredictorOptions& options);

  // Fetches what Find is going to look at first.
  void Prefetch(std::uint64_t context) const { index_.Prefetch(context); }
  // Weights are those of `today`. Empty when the context is not known.
  Successors Find(std::uint64_t context, std::uint16_t today) const;
  double WeightOf(const SymbolCount& count, std::uint16_t today) const {
    return static_cast<double>(Plain(count) * half_life_.Left(count.day, today));
  }

  // What comes from the store needs not be kept again, and may go first.
  void Add(const store::ContextRow& key, const Evidence& evidence, EvidenceFrom from);

  // What others counted is left out.
  void TakeChanged(std::vector<store::ContextRow>& rows);
  void AppendAll(std::vector<store::ContextRow>& rows) const;

  std::size_t transitions() const { return transitions_; }
  std::size_t bytes() const;

 private:
  struct Key {
    std::uint64_t context = 0;
    std::uint64_t symbol = 0;
  };

  float Plain(const SymbolCount& count) const {
    return count.person + count.agent * agent_weight_ + count.others;
  }
  std::size_t PlaceOf(const ContextSlot& slot, std::uint64_t symbol) const;
  std::size_t MakePlace(ContextSlot& slot, std::uint64_t symbol);
  void Resize(ContextSlot& slot, std::uint8_t size);
  void Weigh(ContextSlot& slot, std::size_t at, const Evidence& evidence, std::uint16_t day);
  void MoveUp(const ContextSlot& slot, std::size_t at);
  void NoteChange(const Key& key, SymbolCount& count);
  void NoteGone(ContextSlot& slot, std::uint64_t symbol, const SymbolCount& count);
  void RemoveLast(ContextSlot& slot);
  void ForgetSome();
  void ForgetStale(ContextSlot& slot);
  void DropIfEmpty(ContextSlot& slot);
  const SymbolCount* FindCount(const Key& key) const;
  void FetchAhead(std::size_t at) const;

  float agent_weight_;
  std::size_t max_transitions_;
  bool is_kept_;
  HalfLife half_life_;
  ContextIndex index_;
  CountArena arena_;
  ContextPlace hand_;
  std::size_t transitions_ = 0;
  std::vector<Key> changed_;
  std::vector<Key> gone_;
};

}  // namespace falconer::predict
