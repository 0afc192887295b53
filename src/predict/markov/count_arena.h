#pragma once
// CountArena: where counts lie, in blocks of a few sizes. A block that is freed is used again, so
// that memory does not grow while contexts come, grow and go.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace falconer::predict {

// How often a symbol came in a context. All weights are those of `day`.
struct SymbolCount {
  float person = 0;
  float agent = 0;
  float others = 0;  // what other nodes counted, weighed
  std::uint16_t day = 0;
  // Whether it was counted since the last round of forgetting, and since it was last told to be
  // kept.
  bool is_fresh = false;
  bool is_changed = false;
};

class CountArena {
 public:
  // Most counts in one block.
  static constexpr std::size_t kLargestBlock = 1024;

  CountArena();

  // A number for the least size with room for so many (at most kLargestBlock), and its room.
  static std::uint8_t SizeFor(std::size_t counts);
  static std::size_t RoomOf(std::uint8_t size);

  std::uint32_t Take(std::uint8_t size);
  void Free(std::uint32_t block, std::uint8_t size);

  // The block's symbols and counts lie beside each other, in the same order. Valid until it is
  // freed.
  std::uint64_t* symbols(std::uint32_t block) const {
    return chunks_[block / kChunk]->symbols.data() + block % kChunk;
  }
  SymbolCount* counts(std::uint32_t block) const {
    return chunks_[block / kChunk]->counts.data() + block % kChunk;
  }
  // Fetches the beginning of both.
  void Prefetch(std::uint32_t block) const {
    __builtin_prefetch(symbols(block));
    __builtin_prefetch(counts(block));
  }

  std::size_t bytes() const { return chunks_.size() * sizeof(Chunk); }

 private:
  static constexpr std::size_t kChunk = 4096;
  static constexpr std::size_t kSizes = 20;
  struct Chunk {
    std::array<std::uint64_t, kChunk> symbols;
    std::array<SymbolCount, kChunk> counts;
  };

  void FreeRest();

  std::vector<std::unique_ptr<Chunk>> chunks_;
  // Of the newest chunk.
  std::size_t used_ = kChunk;
  // The first free block of each size; each names the next one where its first symbol was.
  std::array<std::uint64_t, kSizes> free_{};
};

}  // namespace falconer::predict
