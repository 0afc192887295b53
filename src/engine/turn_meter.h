#pragma once
// TurnMeter: how many contracts came to what, and how long that took. Names are those of the
// tables, so there are few of them. On the runtime's event loop.

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/duration_histogram.h"
#include "model/action/action_type.h"
#include "model/contract/result.h"

namespace falconer::engine {

class TurnMeter {
 public:
  // A contract that became a turn. What could not be read has no action.
  void NoteTurn(model::ActionType action, const model::ActionExecutionResult& result,
                Duration took);
  // One that did not.
  void NoteRefusal(std::optional<model::ActionType> action, ErrorCode why);

  // One that was called off while its turn ran: how long until it was sealed.
  void NoteCancel(Duration took) { cancels_.Note(took); }

  // By action and status ("ok", "failed", "refused").
  const std::map<std::pair<std::string, std::string>, std::uint64_t>& ends() const { return ends_; }
  // By code, of what failed or was refused.
  const std::map<std::string, std::uint64_t>& failures() const { return failures_; }
  // By action, from the contract to its answer.
  const std::map<std::string, DurationHistogram>& took() const { return took_; }
  // By phase of a turn.
  const std::map<std::string, DurationHistogram>& phases() const { return phases_; }
  const DurationHistogram& cancels() const { return cancels_; }
  // All that came, and those of them that were refused because too much was under way.
  std::uint64_t total() const;
  std::uint64_t shed() const;

 private:
  std::map<std::pair<std::string, std::string>, std::uint64_t> ends_;
  std::map<std::string, std::uint64_t> failures_;
  std::map<std::string, DurationHistogram> took_;
  std::map<std::string, DurationHistogram> phases_;
  DurationHistogram cancels_;
};

}  // namespace falconer::engine
