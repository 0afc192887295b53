#include "predict/markov/count_arena.h"

#include <algorithm>
#include <iterator>

namespace falconer::predict {
namespace {

constexpr std::array<std::uint16_t, 20> kBlockRooms = {
    1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
static_assert(kBlockRooms.back() == CountArena::kLargestBlock);

constexpr std::uint64_t kNoBlock = ~std::uint64_t{0};

}  // namespace

CountArena::CountArena() {
  static_assert(kBlockRooms.size() == kSizes);
  free_.fill(kNoBlock);
}

std::uint8_t CountArena::SizeFor(std::size_t counts) {
  const auto* const found = std::ranges::lower_bound(kBlockRooms, counts);
  return static_cast<std::uint8_t>(found - kBlockRooms.begin());
}

std::size_t CountArena::RoomOf(std::uint8_t size) {
  return kBlockRooms.at(size);
}

std::uint32_t CountArena::Take(std::uint8_t size) {
  std::uint64_t& free = free_.at(size);
  if (free != kNoBlock) {
    const auto block = static_cast<std::uint32_t>(free);
    free = *symbols(block);
    return block;
  }
  if (kChunk - used_ < RoomOf(size)) {
    FreeRest();
    chunks_.push_back(std::make_unique<Chunk>());
    used_ = 0;
  }
  const std::size_t block = (chunks_.size() - 1) * kChunk + used_;
  used_ += RoomOf(size);
  return static_cast<std::uint32_t>(block);
}

void CountArena::Free(std::uint32_t block, std::uint8_t size) {
  *symbols(block) = free_.at(size);
  free_.at(size) = block;
}

// What is left of a chunk becomes blocks for what needs less.
void CountArena::FreeRest() {
  while (used_ < kChunk) {
    const auto above = std::ranges::upper_bound(kBlockRooms, kChunk - used_);
    const auto size = static_cast<std::uint8_t>(above - kBlockRooms.begin() - 1);
    const std::size_t block = (chunks_.size() - 1) * kChunk + used_;
    used_ += RoomOf(size);
    Free(static_cast<std::uint32_t>(block), size);
  }
}

}  // namespace falconer::predict
