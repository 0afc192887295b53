#pragma once
// Determinism: what makes a turn repeatable: the seed of its randomness, the order of its events,
// and the list of inputs that no seed can give back.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::model {

enum class InputSource : std::uint8_t {
  kExternalCall,
  kSystemTime,
  kRandom,
  kOperatorOverride,
  kOther,
};

inline constexpr EnumName<InputSource> kInputSources[] = {
    {InputSource::kExternalCall, "external_call"},
    {InputSource::kSystemTime, "system_time"},
    {InputSource::kRandom, "random"},
    {InputSource::kOperatorOverride, "operator_override"},
    {InputSource::kOther, "other"},
};

// One value that a decision used and that another run would not see by itself.
struct NondeterministicInput {
  std::string input_key;  // unique in the turn
  InputSource source = InputSource::kOther;
  std::string evidence_ref;  // SHA-256 of the value's canonical JSON, in hex

  json::object ToJson() const;
  bool operator==(const NondeterministicInput&) const = default;
};

struct Determinism {
  std::uint64_t seed = 0;  // 63 bits; 16 hex digits on the wire, as no double holds it
  std::vector<std::string> ordering_markers{"runtime_sequence", "event_id"};
  std::string merge_rule_id = "priority_then_sequence";
  std::string merge_rule_version = "v1.0";
  std::vector<NondeterministicInput> nondeterministic_inputs;

  // kInvalidArgument, naming the field: markers and input keys must be there and unique.
  Result<void> Validate() const;
  json::object ToJson() const;
  bool operator==(const Determinism&) const = default;
};

Determinism ReadDeterminism(JsonReader& in);

// The first 63 bits of SHA-256 over the plan's hash and the turn's number in its session.
std::uint64_t DeriveSeed(std::string_view plan_hash, std::int64_t turn_sequence);

}  // namespace falconer::model
