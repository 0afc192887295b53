#include "predict/markov/count_table.h"

#include <algorithm>

namespace falconer::predict {
namespace {

// Slots that are looked at, at most, to make room for one count.
constexpr int kForgetSteps = 256;
// How many keys ahead memory is asked for.
constexpr std::size_t kFetchedAhead = 8;

std::uint16_t ShortDay(std::int32_t day) {
  return static_cast<std::uint16_t>(std::clamp(day, 0, 0xffff));
}

store::ContextRow RowOf(std::uint64_t context, std::uint64_t symbol, const SymbolCount& count) {
  return {.context = context,
          .next = symbol,
          .by_person = count.person,
          .by_agent = count.agent,
          .day = count.day};
}

bool IsOwn(const SymbolCount& count) {
  return count.person > 0 || count.agent > 0;
}

}  // namespace

CountTable::CountTable(const PredictorOptions& options)
    : agent_weight_(static_cast<float>(std::clamp(options.agent_weight, 0.0, 1.0))),
      max_transitions_(std::max<std::size_t>(options.max_transitions, 1)),
      is_kept_(options.is_kept),
      half_life_(options.half_life_days) {
}

Successors CountTable::Find(std::uint64_t context, std::uint16_t today) const {
  const ContextSlot* const slot = index_.Find(context);
  if (slot == nullptr) return {};
  arena_.Prefetch(slot->block);
  return {.symbols = {arena_.symbols(slot->block), slot->count},
          .counts = {arena_.counts(slot->block), slot->count},
          .total = static_cast<double>(slot->total * half_life_.Left(slot->day, today))};
}

void CountTable::Add(const store::ContextRow& key, const Evidence& evidence, EvidenceFrom from) {
  ContextSlot& slot = index_.Make(key.context);
  const std::size_t at = MakePlace(slot, key.next);
  SymbolCount& count = arena_.counts(slot.block)[at];
  if (from == EvidenceFrom::kNow) {
    count.is_fresh = true;
    NoteChange({key.context, key.next}, count);
  }
  Weigh(slot, at, evidence, ShortDay(key.day));
  MoveUp(slot, at);
  ForgetSome();
}

std::size_t CountTable::PlaceOf(const ContextSlot& slot, std::uint64_t symbol) const {
  const std::span<const std::uint64_t> symbols(arena_.symbols(slot.block), slot.count);
  return static_cast<std::size_t>(std::ranges::find(symbols, symbol) - symbols.begin());
}

std::size_t CountTable::MakePlace(ContextSlot& slot, std::uint64_t symbol) {
  if (slot.count == 0) {
    slot.size = CountArena::SizeFor(1);
    slot.block = arena_.Take(slot.size);
  }
  const std::size_t found = PlaceOf(slot, symbol);
  if (found < slot.count) return found;
  // The rarest makes room for what is new.
  if (slot.count == CountArena::kLargestBlock) RemoveLast(slot);
  if (slot.count == CountArena::RoomOf(slot.size))
    Resize(slot, CountArena::SizeFor(slot.count + 1U));
  arena_.symbols(slot.block)[slot.count] = symbol;
  arena_.counts(slot.block)[slot.count] = {};
  ++transitions_;
  return slot.count++;
}

void CountTable::Resize(ContextSlot& slot, std::uint8_t size) {
  const std::uint32_t block = arena_.Take(size);
  std::copy_n(arena_.symbols(slot.block), slot.count, arena_.symbols(block));
  std::copy_n(arena_.counts(slot.block), slot.count, arena_.counts(block));
  arena_.Free(slot.block, slot.size);
  slot.block = block;
  slot.size = size;
}

// All is brought to the later of both days.
void CountTable::Weigh(ContextSlot& slot, std::size_t at, const Evidence& evidence,
                       std::uint16_t day) {
  SymbolCount& count = arena_.counts(slot.block)[at];
  const std::uint16_t today = std::max(count.day, day);
  const float left = half_life_.Left(count.day, today);
  const float worth = half_life_.Left(day, today);
  count.person = count.person * left + evidence.person * worth;
  count.agent = count.agent * left + evidence.agent * worth;
  count.others = count.others * left + evidence.others * worth;
  count.day = today;
  const float added = evidence.person + evidence.agent * agent_weight_ + evidence.others;
  const std::uint16_t newest = std::max(slot.day, day);
  slot.total =
      slot.total * half_life_.Left(slot.day, newest) + added * half_life_.Left(day, newest);
  slot.day = newest;
}

// Of equals the lesser symbol is first, so that the order does not depend on what came when.
void CountTable::MoveUp(const ContextSlot& slot, std::size_t at) {
  std::uint64_t* const symbols = arena_.symbols(slot.block);
  SymbolCount* const counts = arena_.counts(slot.block);
  const std::uint64_t symbol = symbols[at];
  const SymbolCount count = counts[at];
  const double weight = WeightOf(count, slot.day);
  std::size_t to = at;
  for (; to > 0; --to) {
    const double other = WeightOf(counts[to - 1], slot.day);
    if (other > weight || (other == weight && symbols[to - 1] < symbol)) break;
    symbols[to] = symbols[to - 1];
    counts[to] = counts[to - 1];
  }
  symbols[to] = symbol;
  counts[to] = count;
}

void CountTable::NoteChange(const Key& key, SymbolCount& count) {
  if (!is_kept_ || count.is_changed) return;
  count.is_changed = true;
  changed_.push_back(key);
}

void CountTable::NoteGone(ContextSlot& slot, std::uint64_t symbol, const SymbolCount& count) {
  if (is_kept_ && IsOwn(count)) gone_.push_back({slot.context, symbol});
  slot.total = std::max(slot.total - static_cast<float>(WeightOf(count, slot.day)), 0.0F);
}

void CountTable::RemoveLast(ContextSlot& slot) {
  --slot.count;
  --transitions_;
  NoteGone(slot, arena_.symbols(slot.block)[slot.count], arena_.counts(slot.block)[slot.count]);
}

// The hand goes round and forgets what was not counted since it was there the last time. When it
// meets only what was, something has to go all the same: nobody is to wait for a whole round.
void CountTable::ForgetSome() {
  std::uint64_t last = 0;
  for (int step = 0; transitions_ > max_transitions_ && (step < kForgetSteps || last == 0);
       ++step) {
    ContextSlot* const slot = index_.Next(hand_);
    if (slot == nullptr) continue;
    last = slot->context;
    ForgetStale(*slot);
  }
  if (transitions_ <= max_transitions_) return;
  ContextSlot* const slot = index_.Find(last);
  if (slot == nullptr) return;
  RemoveLast(*slot);
  DropIfEmpty(*slot);
}

// All that is stale, also when one would do: else contexts with many counts would crowd out others.
void CountTable::ForgetStale(ContextSlot& slot) {
  std::uint64_t* const symbols = arena_.symbols(slot.block);
  SymbolCount* const counts = arena_.counts(slot.block);
  std::size_t kept = 0;
  for (std::size_t at = 0; at < slot.count; ++at) {
    if (!counts[at].is_fresh) {
      NoteGone(slot, symbols[at], counts[at]);
      continue;
    }
    counts[at].is_fresh = false;
    symbols[kept] = symbols[at];
    counts[kept++] = counts[at];
  }
  transitions_ -= slot.count - kept;
  slot.count = static_cast<std::uint16_t>(kept);
  if (kept > 0 && CountArena::RoomOf(slot.size) > 2 * kept) Resize(slot, CountArena::SizeFor(kept));
  DropIfEmpty(slot);
}

void CountTable::DropIfEmpty(ContextSlot& slot) {
  if (slot.count > 0) return;
  arena_.Free(slot.block, slot.size);
  index_.Erase(slot);
}

const SymbolCount* CountTable::FindCount(const Key& key) const {
  const ContextSlot* const slot = index_.Find(key.context);
  if (slot == nullptr) return nullptr;
  const std::size_t at = PlaceOf(*slot, key.symbol);
  return at < slot->count ? arena_.counts(slot->block) + at : nullptr;
}

// The slots of those far ahead, the blocks of those nearer.
void CountTable::FetchAhead(std::size_t at) const {
  if (at + 2 * kFetchedAhead < changed_.size())
    index_.Prefetch(changed_[at + 2 * kFetchedAhead].context);
  if (at + kFetchedAhead >= changed_.size()) return;
  const ContextSlot* const slot = index_.Find(changed_[at + kFetchedAhead].context);
  if (slot != nullptr) arena_.Prefetch(slot->block);
}

void CountTable::TakeChanged(std::vector<store::ContextRow>& rows) {
  rows.reserve(rows.size() + changed_.size() + gone_.size());
  for (std::size_t at = 0; at < changed_.size(); ++at) {
    FetchAhead(at);
    const Key& key = changed_[at];
    auto* const count = const_cast<SymbolCount*>(FindCount(key));  // NOLINT: it is ours
    if (count == nullptr || !count->is_changed) continue;
    count->is_changed = false;
    rows.push_back(RowOf(key.context, key.symbol, *count));
  }
  for (const Key& key : gone_)
    if (FindCount(key) == nullptr) rows.push_back(RowOf(key.context, key.symbol, {}));
  changed_.clear();
  gone_.clear();
}

void CountTable::AppendAll(std::vector<store::ContextRow>& rows) const {
  rows.reserve(rows.size() + transitions_);
  index_.ForEach([&](const ContextSlot& slot) {
    for (std::size_t at = 0; at < slot.count; ++at) {
      const SymbolCount& count = arena_.counts(slot.block)[at];
      if (IsOwn(count)) rows.push_back(RowOf(slot.context, arena_.symbols(slot.block)[at], count));
    }
  });
}

std::size_t CountTable::bytes() const {
  return index_.bytes() + arena_.bytes() + (changed_.capacity() + gone_.capacity()) * sizeof(Key);
}

}  // namespace falconer::predict
