#pragma once
// TurnInputs: the only way a turn's decisions may look at the clock, at chance or at the outside.
// RecordedInputs looks and writes down; ReplayedInputs gives back what was written down.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "model/turn/determinism.h"

namespace falconer::kernel {

// One value a decision used.
struct RecordedInput {
  std::string key;  // "<name>#<n>": the n-th value of that name
  model::InputSource source = model::InputSource::kOther;
  json::value value;

  // Its entry in the evidence: the digest stands for the value.
  Result<model::NondeterministicInput> ToEvidence() const;
  json::object ToJson() const;
};

Result<RecordedInput> ParseRecordedInput(const json::value& value);

class TurnInputs {
 public:
  virtual ~TurnInputs() = default;

  // Milliseconds of the wall clock.
  Result<std::int64_t> WallMillis(std::string_view name);
  // A number below `bound`, which MUST NOT be 0.
  Result<std::uint64_t> RandomBelow(std::string_view name, std::uint64_t bound);
  // What `look` sees outside: a reply of a service, a person's answer.
  Result<json::value> External(std::string_view name, model::InputSource source,
                               const std::function<json::value()>& look);

 protected:
  // The value of this input: looked at, or remembered. kNotFound when a replay lacks it.
  virtual Result<json::value> Read(std::string_view name, model::InputSource source,
                                   const std::function<json::value()>& look) = 0;
  virtual std::int64_t ReadClock() = 0;
  virtual std::uint64_t ReadChance() = 0;
};

}  // namespace falconer::kernel
