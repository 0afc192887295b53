#include "predict/markov/tally_book.h"

#include <algorithm>

namespace falconer::predict {
namespace {

constexpr float kFullTally = 2000;

void AddTo(Tally& tally, const Tally& more) {
  tally.hits += more.hits;
  tally.total += more.total;
  if (tally.total <= kFullTally) return;
  tally.hits /= 2;
  tally.total /= 2;
}

// Hits are never more than there were times, whoever sent the row.
Tally TallyIn(const store::ContextRow& row) {
  return {.hits = std::min(row.by_person, row.by_agent), .total = row.by_agent};
}

}  // namespace

TallyBook::TallyBook(std::uint64_t context, std::size_t cells) : context_(context), cells_(cells) {
}

Tally TallyBook::At(std::size_t cell) const {
  const Cell& at = cells_.at(cell);
  return {.hits = at.own.hits + at.others.hits, .total = at.own.total + at.others.total};
}

double TallyBook::Share(std::size_t cell, double prior, double strength) const {
  const Tally tally = At(cell);
  return (tally.hits + prior * strength) / (tally.total + strength);
}

void TallyBook::Note(std::size_t cell, Tally more, std::int32_t day) {
  Cell& at = cells_.at(cell);
  AddTo(at.own, more);
  at.day = std::max(at.day, day);
  if (at.is_changed) return;
  at.is_changed = true;
  changed_.push_back(static_cast<std::uint32_t>(cell));
}

void TallyBook::Load(const store::ContextRow& row) {
  if (row.next >= cells_.size()) return;
  Cell& at = cells_[row.next];
  AddTo(at.own, TallyIn(row));
  at.day = std::max(at.day, row.day);
}

void TallyBook::LoadOthers(const store::ContextRow& row) {
  if (row.next < cells_.size()) AddTo(cells_[row.next].others, TallyIn(row));
}

store::ContextRow TallyBook::RowAt(std::size_t cell) const {
  const Cell& at = cells_[cell];
  return {.context = context_,
          .next = cell,
          .by_person = at.own.hits,
          .by_agent = at.own.total,
          .day = at.day};
}

void TallyBook::TakeChanged(std::vector<store::ContextRow>& rows) {
  for (const std::uint32_t cell : changed_) {
    rows.push_back(RowAt(cell));
    cells_[cell].is_changed = false;
  }
  changed_.clear();
}

void TallyBook::AppendAll(std::vector<store::ContextRow>& rows) const {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell)
    if (cells_[cell].own.total > 0) rows.push_back(RowAt(cell));
}

std::size_t TallyBook::bytes() const {
  return cells_.capacity() * sizeof(Cell) + changed_.capacity() * sizeof(std::uint32_t);
}

}  // namespace falconer::predict
