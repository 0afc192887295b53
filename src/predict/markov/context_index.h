#pragma once
// ContextIndex: finds a context by its digest. It is made of many small hash tables, so that no
// growing takes long, and lies closely packed. Digests are taken to be spread evenly.

#include <array>
#include <cstdint>
#include <vector>

namespace falconer::predict {

struct ContextSlot {
  std::uint64_t context = 0;  // 0 for an empty slot
  float total = 0;            // of all its counts, as on `day`
  std::uint32_t block = 0;
  std::uint16_t count = 0;
  std::uint16_t day = 0;
  std::uint8_t size = 0;  // of the block
};
static_assert(sizeof(ContextSlot) == 24);

// A place in the index, for going round.
struct ContextPlace {
  std::size_t part = 0;
  std::size_t at = 0;
};

class ContextIndex {
 public:
  // Null when there is none. Pointers are valid until the next Make or Erase.
  ContextSlot* Find(std::uint64_t context);
  const ContextSlot* Find(std::uint64_t context) const;
  // Fetches where Find is going to look.
  void Prefetch(std::uint64_t context) const;
  // Finds it, or makes an empty one. `context` is not 0.
  ContextSlot& Make(std::uint64_t context);
  void Erase(ContextSlot& slot);

  // The slot at the place, null for an empty one; moves the place on, round and round. One that is
  // erased on the way may make this pass over another one.
  ContextSlot* Next(ContextPlace& place);

  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Part& part : parts_)
      for (const ContextSlot& slot : part.slots)
        if (slot.context != 0) visit(slot);
  }

  std::size_t count() const { return count_; }
  std::size_t bytes() const;

 private:
  static constexpr int kPartBits = 8;
  struct Part {
    std::vector<ContextSlot> slots;
    std::size_t used = 0;
  };

  static std::size_t PartOf(std::uint64_t context) { return context >> (64 - kPartBits); }
  static std::size_t HomeOf(const Part& part, std::uint64_t context);
  static ContextSlot& Insert(Part& part, const ContextSlot& slot);
  static void Grow(Part& part);

  std::array<Part, std::size_t{1} << kPartBits> parts_;
  std::size_t count_ = 0;
};

}  // namespace falconer::predict
