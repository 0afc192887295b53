#include "kernel/plan/replayed_inputs.h"

#include <fmt/format.h>
#include <utility>

#include "base/check.h"

namespace falconer::kernel {

ReplayedInputs::ReplayedInputs(std::vector<RecordedInput> inputs) {
  for (RecordedInput& input : inputs) {
    std::string key = input.key;
    inputs_.emplace(std::move(key), std::move(input));
  }
}

Result<json::value> ReplayedInputs::Read(std::string_view name, model::InputSource source,
                                         const std::function<json::value()>& /*look*/) {
  const std::string key = fmt::format("{}#{}", name, ++counts_[std::string(name)]);
  const auto found = inputs_.find(key);
  if (found == inputs_.end()) {
    missing_.push_back(key);
    return Fail(ErrorCode::kNotFound, fmt::format("input {} was not recorded", key));
  }
  used_.insert(key);
  if (found->second.source != source) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("input {} was recorded from {}, asked from {}", key,
                            NameIn(model::kInputSources, found->second.source),
                            NameIn(model::kInputSources, source)));
  }
  return found->second.value;
}

std::int64_t ReplayedInputs::ReadClock() {
  CheckFailed("replay", "a replay never looks at the clock");
}

std::uint64_t ReplayedInputs::ReadChance() {
  CheckFailed("replay", "a replay never draws");
}

std::vector<std::string> ReplayedInputs::Unused() const {
  std::vector<std::string> unused;
  for (const auto& [key, input] : inputs_) {
    if (!used_.contains(key)) unused.push_back(key);
  }
  return unused;
}

}  // namespace falconer::kernel
