#include "predict/markov/context_shape.h"

#include <bit>

#include "predict/markov/predictor.h"

namespace falconer::predict {
namespace {

constexpr std::uint64_t kReserved = 0xFA1C;

// The finalizer of SplitMix64: spreads what differs in few bits.
std::uint64_t Spread(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

std::uint64_t Joined(std::uint64_t digest, std::uint64_t symbol) {
  return Spread(std::rotl(digest, 23) + (symbol ^ 0x9E3779B97F4A7C15));
}

std::uint64_t DigestOf(const ContextShape& shape, std::span<const std::uint64_t> history,
                       std::uint64_t page) {
  const auto farthest = static_cast<std::size_t>(std::bit_width(shape.steps));
  if (farthest > history.size() + 1 || (shape.has_page && page == 0)) return 0;
  std::uint64_t digest = Spread(std::uint64_t{1} << 8 | shape.steps);
  for (std::size_t back = 1; back <= farthest; ++back) {
    if ((shape.steps >> (back - 1) & 1) == 0) continue;
    digest = Joined(digest, back > history.size() ? kBoundary : history[history.size() - back]);
  }
  if (shape.has_page) digest = Joined(digest, page + 1);
  return digest == 0 ? 1 : digest;
}

}  // namespace

ContextDigests DigestsOf(std::span<const std::uint64_t> history, std::uint64_t page,
                         int max_order) {
  ContextDigests digests{};
  for (std::size_t at = 0; at < kContextShapes.size(); ++at)
    if (kContextShapes[at].order <= max_order)
      digests[at] = DigestOf(kContextShapes[at], history, page);
  return digests;
}

std::uint64_t ReservedContext(std::uint64_t number) {
  return Spread(kReserved << 48 | number);
}

}  // namespace falconer::predict
