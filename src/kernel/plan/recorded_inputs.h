#pragma once
// RecordedInputs: looks at the real clock, at chance drawn from the plan's seed, and at the
// outside, and writes every value down before anybody sees it.

#include <map>

#include "base/async/clock.h"
#include "kernel/plan/nondeterminism.h"

namespace falconer::kernel {

class RecordedInputs final : public TurnInputs {
 public:
  // `seed` is the plan's. The clock must outlive this.
  RecordedInputs(const Clock& clock, std::uint64_t seed) : clock_(clock), chance_(seed) {}

  // Everything read so far, in order.
  const std::vector<RecordedInput>& inputs() const { return inputs_; }
  // The same as evidence.
  Result<std::vector<model::NondeterministicInput>> Evidence() const;

 protected:
  Result<json::value> Read(std::string_view name, model::InputSource source,
                           const std::function<json::value()>& look) override;
  std::int64_t ReadClock() override;
  std::uint64_t ReadChance() override;

 private:
  const Clock& clock_;
  std::uint64_t chance_;
  std::map<std::string, int, std::less<>> counts_;
  std::vector<RecordedInput> inputs_;
};

}  // namespace falconer::kernel
