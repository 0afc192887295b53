#include "model/turn/determinism.h"

#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <set>

#include "base/sha256.h"
#include "model/turn/provenance.h"

namespace falconer::model {
namespace {

constexpr std::size_t kSeedDigits = 16;

std::unexpected<Error> RefuseDeterminism(std::string_view field, std::string_view why) {
  return std::unexpected(Error(ErrorCode::kInvalidArgument,
                               fmt::format("determinism.{}: {}", field, why),
                               {{"field", fmt::format("determinism.{}", field)}}));
}

std::uint64_t ReadSeed(JsonReader& in) {
  const std::string text = in.String("seed", {kSeedDigits, kSeedDigits});
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, failure] = std::from_chars(text.data(), end, seed, 16);
  const bool is_canonical = text == fmt::format("{:016x}", seed);
  if (failure != std::errc() || stopped != end || !is_canonical) {
    in.Reject("seed", "must be 16 lower-case hex digits");
  }
  return seed;
}

NondeterministicInput ReadInput(JsonReader& in) {
  return {.input_key = in.String("input_key"),
          .source = in.Enum("source", kInputSources),
          .evidence_ref = in.String("evidence_ref")};
}

Result<void> CheckInputs(const std::vector<NondeterministicInput>& inputs) {
  std::set<std::string_view> keys;
  for (const NondeterministicInput& input : inputs) {
    if (input.input_key.empty())
      return RefuseDeterminism("nondeterministic_inputs", "has an empty input_key");
    if (!keys.insert(input.input_key).second) {
      return RefuseDeterminism("nondeterministic_inputs", "has " + input.input_key + " twice");
    }
    if (!IsSha256Hex(input.evidence_ref)) {
      return RefuseDeterminism("nondeterministic_inputs",
                               input.input_key + " needs a digest as evidence_ref");
    }
  }
  return {};
}

}  // namespace

json::object NondeterministicInput::ToJson() const {
  return {{"input_key", input_key},
          {"source", NameIn(kInputSources, source)},
          {"evidence_ref", evidence_ref}};
}

Result<void> Determinism::Validate() const {
  if (seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return RefuseDeterminism("seed", "has more than 63 bits");
  }
  if (ordering_markers.empty()) return RefuseDeterminism("ordering_markers", "must not be empty");
  std::set<std::string_view> markers;
  for (const std::string& marker : ordering_markers) {
    if (marker.empty()) return RefuseDeterminism("ordering_markers", "has an empty marker");
    if (!markers.insert(marker).second) {
      return RefuseDeterminism("ordering_markers", "has " + marker + " twice");
    }
  }
  if (merge_rule_id.empty()) return RefuseDeterminism("merge_rule_id", "is required");
  if (merge_rule_version.empty()) return RefuseDeterminism("merge_rule_version", "is required");
  return CheckInputs(nondeterministic_inputs);
}

json::object Determinism::ToJson() const {
  json::array inputs;
  for (const NondeterministicInput& input : nondeterministic_inputs) {
    inputs.emplace_back(input.ToJson());
  }
  return {{"seed", fmt::format("{:016x}", seed)},
          {"ordering_markers", json::array(ordering_markers.begin(), ordering_markers.end())},
          {"merge_rule_id", merge_rule_id},
          {"merge_rule_version", merge_rule_version},
          {"nondeterministic_inputs", std::move(inputs)}};
}

Determinism ReadDeterminism(JsonReader& in) {
  return {.seed = ReadSeed(in),
          .ordering_markers = in.Strings("ordering_markers"),
          .merge_rule_id = in.String("merge_rule_id"),
          .merge_rule_version = in.String("merge_rule_version"),
          .nondeterministic_inputs = in.Objects("nondeterministic_inputs", ReadInput)};
}

std::uint64_t DeriveSeed(std::string_view plan_hash, std::int64_t turn_sequence) {
  const Sha256Digest digest = Sha256Of(fmt::format("{}:{}", plan_hash, turn_sequence));
  std::uint64_t seed = 0;
  for (std::size_t i = 0; i < sizeof(seed); ++i) seed = seed << 8U | digest[i];
  return seed >> 1U;
}

}  // namespace falconer::model
