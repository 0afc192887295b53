#pragma once
// ReplayedInputs: gives a turn the values another run of it recorded. It never looks at the world:
// what was not recorded is missing, and what was recorded but not asked for shows.

#include <map>
#include <set>

#include "kernel/plan/nondeterminism.h"

namespace falconer::kernel {

class ReplayedInputs final : public TurnInputs {
 public:
  explicit ReplayedInputs(std::vector<RecordedInput> inputs);

  // Keys that were asked for and not there.
  const std::vector<std::string>& missing() const { return missing_; }
  // Keys that were there and not asked for.
  std::vector<std::string> Unused() const;

 protected:
  // kNotFound when it was not recorded, kInvalidArgument when it was, from another source.
  Result<json::value> Read(std::string_view name, model::InputSource source,
                           const std::function<json::value()>& look) override;
  std::int64_t ReadClock() override;
  std::uint64_t ReadChance() override;

 private:
  std::map<std::string, RecordedInput, std::less<>> inputs_;
  std::map<std::string, int, std::less<>> counts_;
  std::set<std::string, std::less<>> used_;
  std::vector<std::string> missing_;
};

}  // namespace falconer::kernel
