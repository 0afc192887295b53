#include "bench/announcements.h"

#include <array>
#include <bit>

namespace falconer::bench {
namespace {

constexpr std::string_view kPrefix = "bench ";
constexpr std::array<std::string_view, 3> kKinds = {"load", "fill", "click"};

}  // namespace

void Announcements::Saw(std::string_view console_text) {
  if (!console_text.starts_with(kPrefix)) return;
  const auto rest = console_text.substr(kPrefix.size());
  const auto gap = rest.find(' ');
  if (gap == std::string_view::npos) return;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    if (rest.substr(gap + 1) == kKinds[kind]) seen_[std::string(rest.substr(0, gap))] |= 1U << kind;
  }
}

std::size_t Announcements::MissingOf(const std::string& nonce) const {
  const auto found = seen_.find(nonce);
  const unsigned bits = found == seen_.end() ? 0 : found->second;
  return kKinds.size() - static_cast<std::size_t>(std::popcount(bits));
}

}  // namespace falconer::bench
