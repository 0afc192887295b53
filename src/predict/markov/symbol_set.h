#pragma once
// SymbolSet: symbols with a number each, in the order in which they came. Emptied and filled again
// many times without taking memory.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace falconer::predict {

class SymbolSet {
 public:
  SymbolSet() : slots_(kFewest) {}

  void Clear() {
    for (const std::uint32_t slot : used_) slots_[slot] = 0;
    used_.clear();
    symbols_.clear();
  }

  std::optional<std::size_t> Find(std::uint64_t symbol) const {
    const std::uint32_t number = slots_[SlotOf(symbol)];
    if (number == 0) return std::nullopt;
    return number - 1;
  }
  bool Contains(std::uint64_t symbol) const { return slots_[SlotOf(symbol)] != 0; }

  // Its number; that of the next one if it is new.
  std::size_t Add(std::uint64_t symbol) {
    if (symbols_.size() * 2 >= slots_.size()) Grow();
    const std::size_t slot = SlotOf(symbol);
    if (slots_[slot] == 0) {
      symbols_.push_back(symbol);
      used_.push_back(static_cast<std::uint32_t>(slot));
      slots_[slot] = static_cast<std::uint32_t>(symbols_.size());
    }
    return slots_[slot] - 1;
  }

  std::span<const std::uint64_t> symbols() const { return symbols_; }
  std::size_t size() const { return symbols_.size(); }
  bool empty() const { return symbols_.empty(); }
  std::size_t bytes() const {
    return (slots_.capacity() + used_.capacity()) * sizeof(std::uint32_t) +
           symbols_.capacity() * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::size_t kFewest = 256;

  // Where it is, or would be. The number of slots is a power of two.
  std::size_t SlotOf(std::uint64_t symbol) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = (symbol * 0x9E3779B97F4A7C15) >> 32 & mask;
    while (slots_[slot] != 0 && symbols_[slots_[slot] - 1] != symbol) slot = (slot + 1) & mask;
    return slot;
  }

  void Grow() {
    const std::vector<std::uint64_t> all = symbols_;
    Clear();
    slots_.assign(slots_.size() * 2, 0);
    for (const std::uint64_t symbol : all) Add(symbol);
  }

  std::vector<std::uint32_t> slots_;  // number + 1; 0 for none
  std::vector<std::uint32_t> used_;
  std::vector<std::uint64_t> symbols_;
};

}  // namespace falconer::predict
