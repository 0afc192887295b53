#pragma once
// TallyBook: how often something came true, of how many times, for a fixed number of cells. Kept
// and merged as rows of a reserved context: a cell's number is the symbol, what came true counts
// as by people, all as by agents. What was long ago fades, as cells are halved when they are full.

#include <cstdint>
#include <vector>

#include "store/prediction_store.h"

namespace falconer::predict {

struct Tally {
  float hits = 0;
  float total = 0;
};

class TallyBook {
 public:
  // `context` is what its rows are known by.
  TallyBook(std::uint64_t context, std::size_t cells);

  std::uint64_t context() const { return context_; }
  // With what others counted.
  Tally At(std::size_t cell) const;
  // The share that came true, where `prior` counts as so many times.
  double Share(std::size_t cell, double prior, double strength) const;
  void Note(std::size_t cell, Tally more, std::int32_t day);

  // Rows of cells that do not exist are passed over.
  void Load(const store::ContextRow& row);
  void LoadOthers(const store::ContextRow& row);
  void TakeChanged(std::vector<store::ContextRow>& rows);
  void AppendAll(std::vector<store::ContextRow>& rows) const;

  std::size_t bytes() const;

 private:
  struct Cell {
    Tally own;
    Tally others;
    std::int32_t day = 0;
    bool is_changed = false;
  };
  store::ContextRow RowAt(std::size_t cell) const;

  std::uint64_t context_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> changed_;
};

}  // namespace falconer::predict
