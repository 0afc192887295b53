#include "kernel/plan/recorded_inputs.h"

#include <chrono>
#include <fmt/format.h>

#include "base/json/canonical_json.h"

namespace falconer::kernel {

Result<json::value> RecordedInputs::Read(std::string_view name, model::InputSource source,
                                         const std::function<json::value()>& look) {
  json::value value = look();
  // What cannot be written down exactly must not be decided on.
  TRY(CanonicalJson(value));
  const int count = ++counts_[std::string(name)];
  inputs_.push_back({fmt::format("{}#{}", name, count), source, value});
  return value;
}

std::int64_t RecordedInputs::ReadClock() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(clock_.WallNow().time_since_epoch()).count();
}

// SplitMix64: small, well mixed, and the same everywhere.
std::uint64_t RecordedInputs::ReadChance() {
  std::uint64_t z = chance_ += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

Result<std::vector<model::NondeterministicInput>> RecordedInputs::Evidence() const {
  std::vector<model::NondeterministicInput> evidence;
  for (const RecordedInput& input : inputs_) {
    TRY_ASSIGN(evidence.emplace_back(), input.ToEvidence());
  }
  return evidence;
}

}  // namespace falconer::kernel
