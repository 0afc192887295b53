#include "engine/turn_meter.h"

namespace falconer::engine {

void TurnMeter::NoteTurn(model::ActionType action, const model::ActionExecutionResult& result,
                         Duration took) {
  const std::string name(model::ActionName(action));
  ++ends_[{name, result.success ? "ok" : "failed"}];
  if (result.failure) ++failures_[std::string(TraitsOf(result.failure->code).name)];
  took_[name].Note(took);
  for (const model::PhaseDuration& phase : result.timings)
    phases_[std::string(NameIn(model::kAttemptPhases, phase.phase))].Note(phase.took);
}

void TurnMeter::NoteRefusal(std::optional<model::ActionType> action, ErrorCode why) {
  const std::string name(action ? model::ActionName(*action) : "unreadable");
  ++ends_[{name, "refused"}];
  ++failures_[std::string(TraitsOf(why).name)];
}

std::uint64_t TurnMeter::total() const {
  std::uint64_t sum = 0;
  for (const auto& [name, count] : ends_) sum += count;
  return sum;
}

std::uint64_t TurnMeter::shed() const {
  const auto found = failures_.find(std::string(TraitsOf(ErrorCode::kQueueFull).name));
  return found == failures_.end() ? 0 : found->second;
}

}  // namespace falconer::engine
