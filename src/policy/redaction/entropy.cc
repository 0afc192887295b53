#include "policy/redaction/entropy.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>

#include "policy/redaction/text_class.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kShortestRandom = 24;
// Longer runs are content (pictures, documents), not keys.
constexpr std::size_t kLongestRandom = 160;
constexpr std::size_t kLeastKinds = 12;
constexpr std::size_t kLeastOfEachClass = 2;
constexpr std::size_t kLeastNumbers = 2;  // names have one at most

// The digests that pages put beside scripts.
constexpr std::string_view kDigestPrefixes[] = {"sha256-", "sha384-", "sha512-", "sha1-", "md5-"};

struct TokenShape {
  std::size_t lower = 0;
  std::size_t upper = 0;
  std::size_t digit = 0;
  std::size_t numbers = 0;  // runs of digits
  std::size_t turns = 0;    // changes of class
  std::size_t longest = 0;  // letters of one case in a row
  std::size_t kinds = 0;    // different bytes
};

TokenShape ShapeOf(std::string_view token) {
  TokenShape shape;
  std::bitset<256> seen;
  std::uint8_t before = 0;
  std::size_t run = 0;
  for (const char c : token) {
    const std::uint8_t now = ByteClass(c) & (kLowerBit | kUpperBit | kDigitBit);
    shape.lower += now == kLowerBit ? 1 : 0;
    shape.upper += now == kUpperBit ? 1 : 0;
    shape.digit += now == kDigitBit ? 1 : 0;
    shape.numbers += now == kDigitBit && before != kDigitBit ? 1 : 0;
    shape.turns += now != before && before != 0 && now != 0 ? 1 : 0;
    run = now == before && now != kDigitBit ? run + 1 : 1;
    shape.longest = std::max(shape.longest, run);
    seen.set(static_cast<unsigned char>(c));
    before = now;
  }
  shape.kinds = seen.count();
  return shape;
}

}  // namespace

bool LooksRandom(std::string_view token) {
  if (token.size() < kShortestRandom || token.size() > kLongestRandom) return false;
  const bool is_digest = std::ranges::any_of(
      kDigestPrefixes, [&](std::string_view prefix) { return token.starts_with(prefix); });
  if (is_digest) return false;
  const TokenShape shape = ShapeOf(token);
  const bool has_all = shape.lower >= kLeastOfEachClass && shape.upper >= kLeastOfEachClass &&
                       shape.digit >= kLeastOfEachClass && shape.numbers >= kLeastNumbers;
  // Drawn from 62 characters, two neighbours differ in class in 59 of 100 places; in names made of
  // words it is fewer than 30.
  return has_all && shape.kinds >= kLeastKinds && shape.longest <= 8 &&
         shape.turns * 100 >= token.size() * 38;
}

}  // namespace falconer::policy
