#pragma once
// EnumSet: a set of values of a small enumeration (fewer than 32), as one number.

#include <cstdint>
#include <initializer_list>

namespace falconer::model {

template <typename E>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  constexpr EnumSet(std::initializer_list<E> values) {
    for (const E value : values) Add(value);
  }

  constexpr void Add(E value) { bits_ |= Bit(value); }
  constexpr bool Contains(E value) const { return (bits_ & Bit(value)) != 0; }
  constexpr bool ContainsAll(EnumSet other) const { return (bits_ & other.bits_) == other.bits_; }
  constexpr bool Intersects(EnumSet other) const { return (bits_ & other.bits_) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  // The value numbered n is bit n.
  constexpr std::uint32_t bits() const { return bits_; }

  constexpr EnumSet operator|(EnumSet other) const { return FromBits(bits_ | other.bits_); }
  // Values that are here and not in `other`.
  constexpr EnumSet operator-(EnumSet other) const { return FromBits(bits_ & ~other.bits_); }
  constexpr bool operator==(const EnumSet&) const = default;

 private:
  static constexpr std::uint32_t Bit(E value) {
    return std::uint32_t{1} << static_cast<unsigned>(value);
  }
  static constexpr EnumSet FromBits(std::uint32_t bits) {
    EnumSet set;
    set.bits_ = bits;
    return set;
  }

  std::uint32_t bits_ = 0;
};

}  // namespace falconer::model
