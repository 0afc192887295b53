#pragma once
// Classes of bytes, for scanners that look at each byte once.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace falconer::policy {

inline constexpr std::uint8_t kLowerBit = 1;
inline constexpr std::uint8_t kUpperBit = 2;
inline constexpr std::uint8_t kDigitBit = 4;
inline constexpr std::uint8_t kUnderscoreBit = 8;
inline constexpr std::uint8_t kWordBits = 15;
// Bytes at which something can begin or end that is not a word.
inline constexpr std::uint8_t kTriggerBit = 16;
// - + / =: with those of words, what tokens are made of.
inline constexpr std::uint8_t kTokenBit = 32;

constexpr std::array<std::uint8_t, 256> MakeByteClasses() {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = 'a'; c <= 'z'; ++c) table[c] = kLowerBit;
  for (unsigned c = 'A'; c <= 'Z'; ++c) table[c] = kUpperBit;
  for (unsigned c = '0'; c <= '9'; ++c) table[c] = kDigitBit;
  table['_'] = kUnderscoreBit;
  for (const char c : {'@', ':', '=', '-', '+', '('}) {
    table[static_cast<unsigned char>(c)] |= kTriggerBit;
  }
  for (const char c : {'-', '+', '/', '='}) table[static_cast<unsigned char>(c)] |= kTokenBit;
  return table;
}

inline constexpr std::array<std::uint8_t, 256> kByteClasses = MakeByteClasses();

constexpr std::uint8_t ByteClass(char c) {
  return kByteClasses[static_cast<unsigned char>(c)];
}
constexpr bool IsWordChar(char c) {
  return (ByteClass(c) & kWordBits) != 0;
}
// Letters, digits, "_" and "-": the alphabet of keys and base64url.
constexpr bool IsKeyChar(char c) {
  return IsWordChar(c) || c == '-';
}
// A set of bytes that is asked once per byte: one load, no call.
class ByteSet {
 public:
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char c : bytes) has_[static_cast<unsigned char>(c)] = true;
  }
  constexpr bool Has(char c) const { return has_[static_cast<unsigned char>(c)]; }

 private:
  std::array<bool, 256> has_{};
};

// A filter over three bytes: false says "in no row of the table" for certain.
class TripleFilter {
 public:
  constexpr void Add(char a, char b, char c) { bits_[PlaceOf(a, b, c)] = true; }
  constexpr bool MayHave(char a, char b, char c) const { return bits_[PlaceOf(a, b, c)]; }

 private:
  static constexpr std::size_t PlaceOf(char a, char b, char c) {
    const auto byte = [](char x) {
      return static_cast<std::size_t>(static_cast<unsigned char>(x));
    };
    return (byte(a) * 961 + byte(b) * 31 + byte(c)) % 4096;
  }
  std::array<bool, 4096> bits_{};
};

}  // namespace falconer::policy
