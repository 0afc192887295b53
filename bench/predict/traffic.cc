#include "bench/predict/traffic.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace falconer::bench {
namespace {

constexpr std::uint64_t kSites = 1000;
constexpr std::uint64_t kPlaces = 60;  // of each site
constexpr std::uint64_t kPages = 8;
constexpr std::uint64_t kEntrances = 4;

double ShareOfBits(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// Visits go by Zipf's law: the tenth site has a tenth of those of the first.
std::uint64_t SiteOf(std::uint64_t bits) {
  return static_cast<std::uint64_t>(std::pow(kSites + 1, ShareOfBits(bits))) - 1;
}

// Symbols are digests: their bits are spread.
std::uint64_t SymbolAt(std::uint64_t site, std::uint64_t place) {
  std::uint64_t bits = (site * kPlaces + place + 1) * 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 32) * 0xD6E8FEB86659FD93;
  return bits ^ bits >> 32;
}

}  // namespace

std::string Traffic::SignatureOf(std::uint64_t symbol) {
  return fmt::format(R"({{"selector":"button \"Step {:016x}\"","type":"click"}})", symbol);
}

void Traffic::BeginSession() {
  session_.clear();
  site_ = SiteOf(chance_());
  place_ = chance_() % kEntrances;
  length_ = 4 + chance_() % 20;
}

TrafficStep Traffic::Next() {
  if (session_.size() >= length_) BeginSession();
  // One of four that follow: the first of them in half of all cases, the second in a quarter, ...
  const auto choice = static_cast<std::uint64_t>(std::countr_zero(chance_() | 8));
  place_ = (place_ * 7 + choice * 13 + 1) % kPlaces;
  TrafficStep step{.history = session_,
                   .page = SymbolAt(kSites + site_, place_ % kPages),
                   .next = SymbolAt(site_, place_)};
  session_.push_back(step.next);
  return step;
}

}  // namespace falconer::bench
