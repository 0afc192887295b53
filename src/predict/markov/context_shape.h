#pragma once
// The shapes of contexts: what of the past, and whether the page, makes a context. Digests of
// contexts are kept in stores and sent to other nodes: the same past MUST give the same digest, in
// each version of the program.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace falconer::predict {

struct ContextShape {
  std::string_view source;  // what a prediction from it says of where it came from
  int order = 0;
  // Which steps back count: bit 0 for the last one.
  std::uint8_t steps = 0;
  bool has_page = false;
};

// From the least to the most telling.
inline constexpr std::array<ContextShape, 9> kContextShapes = {{
    {"order_0", 0, 0b0000, false},
    {"order_0+page", 0, 0b0000, true},
    // Whatever came in between: steps that are not always done do not make it blind.
    {"first_order_skip", 1, 0b0010, false},
    {"first_order", 1, 0b0001, false},
    {"first_order+page", 1, 0b0001, true},
    {"second_order", 2, 0b0011, false},
    {"second_order+page", 2, 0b0011, true},
    {"order_3", 3, 0b0111, false},
    {"order_4", 4, 0b1111, false},
}};
inline constexpr int kLongestOrder = 4;

// The digest of each shape's context; 0 where there is none, because the past is too short for it
// or the page is not known. Before the first step there is one boundary.
using ContextDigests = std::array<std::uint64_t, kContextShapes.size()>;
ContextDigests DigestsOf(std::span<const std::uint64_t> history, std::uint64_t page, int max_order);

// A digest that no past has, for what is kept beside counts.
std::uint64_t ReservedContext(std::uint64_t number);

}  // namespace falconer::predict
