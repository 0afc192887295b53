#include "predict/markov/context_index.h"

#include <utility>

namespace falconer::predict {
namespace {

constexpr std::size_t kSmallestPart = 8;

// Fuller would need longer searches, emptier more memory.
constexpr bool IsFull(std::size_t used, std::size_t room) {
  return used * 5 >= room * 4;
}

constexpr std::size_t NextRoom(std::size_t room) {
  return room < kSmallestPart ? kSmallestPart : room + room / 4;
}

}  // namespace

// Spread anew: what is kept comes in the order of contexts, and would all go to the same end.
std::size_t ContextIndex::HomeOf(const Part& part, std::uint64_t context) {
  const std::uint64_t bits = context * 0x9E3779B97F4A7C15 >> 32;
  return bits * part.slots.size() >> 32;
}

ContextSlot* ContextIndex::Find(std::uint64_t context) {
  return const_cast<ContextSlot*>(std::as_const(*this).Find(context));  // NOLINT: it is ours
}

const ContextSlot* ContextIndex::Find(std::uint64_t context) const {
  const Part& part = parts_[PartOf(context)];
  if (part.used == 0) return nullptr;
  for (std::size_t at = HomeOf(part, context);;) {
    const ContextSlot& slot = part.slots[at];
    if (slot.context == context) return &slot;
    if (slot.context == 0) return nullptr;
    if (++at == part.slots.size()) at = 0;
  }
}

void ContextIndex::Prefetch(std::uint64_t context) const {
  const Part& part = parts_[PartOf(context)];
  if (part.used > 0) __builtin_prefetch(&part.slots[HomeOf(part, context)]);
}

ContextSlot& ContextIndex::Make(std::uint64_t context) {
  if (ContextSlot* const found = Find(context)) return *found;
  Part& part = parts_[PartOf(context)];
  if (IsFull(part.used + 1, part.slots.size())) Grow(part);
  ++part.used;
  ++count_;
  return Insert(part, {.context = context});
}

ContextSlot& ContextIndex::Insert(Part& part, const ContextSlot& slot) {
  std::size_t at = HomeOf(part, slot.context);
  while (part.slots[at].context != 0) at = at + 1 == part.slots.size() ? 0 : at + 1;
  return part.slots[at] = slot;
}

void ContextIndex::Grow(Part& part) {
  std::vector<ContextSlot> old(NextRoom(part.slots.size()));
  old.swap(part.slots);
  for (const ContextSlot& slot : old)
    if (slot.context != 0) Insert(part, slot);
}

// Those behind it that would no longer be found move up.
void ContextIndex::Erase(ContextSlot& slot) {
  Part& part = parts_[PartOf(slot.context)];
  const std::size_t room = part.slots.size();
  auto hole = static_cast<std::size_t>(&slot - part.slots.data());
  for (std::size_t at = (hole + 1) % room; part.slots[at].context != 0; at = (at + 1) % room) {
    const std::size_t home = HomeOf(part, part.slots[at].context);
    if ((at + room - home) % room < (at + room - hole) % room) continue;
    part.slots[hole] = part.slots[at];
    hole = at;
  }
  part.slots[hole] = {};
  --part.used;
  --count_;
}

ContextSlot* ContextIndex::Next(ContextPlace& place) {
  Part& part = parts_[place.part % parts_.size()];
  if (place.at >= part.slots.size()) {
    place = {.part = place.part + 1, .at = 0};
    return nullptr;
  }
  ContextSlot& slot = part.slots[place.at++];
  return slot.context == 0 ? nullptr : &slot;
}

std::size_t ContextIndex::bytes() const {
  std::size_t sum = sizeof(*this);
  for (const Part& part : parts_) sum += part.slots.capacity() * sizeof(ContextSlot);
  return sum;
}

}  // namespace falconer::predict
