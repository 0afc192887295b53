#pragma once
// What is done with an event that comes for a turn, by the turn's state and the kind of event: one
// table. A closed turn is never opened again.

#include <cstdint>
#include <optional>
#include <string>

#include "base/ids.h"
#include "base/json/json_reader.h"
#include "model/turn/turn_state.h"

namespace falconer::kernel {

enum class InboundKind : std::uint8_t {
  kData,     // a result, an output, something seen on the page
  kControl,  // a word about the turn itself
  kIntent,   // somebody wants something done
};

enum class InboundAnswer : std::uint8_t {
  kTake,      // belongs to the running turn
  kDrop,      // of no use to anybody
  kDiagnose,  // of no use, but worth knowing about
  kRemap,     // proposes a new turn
  kStale,     // says another epoch: refused, with a decision on record
};

inline constexpr EnumName<InboundAnswer> kInboundAnswers[] = {
    {InboundAnswer::kTake, "take"},         {InboundAnswer::kDrop, "drop"},
    {InboundAnswer::kDiagnose, "diagnose"}, {InboundAnswer::kRemap, "remap"},
    {InboundAnswer::kStale, "stale"},
};

struct InboundEvent {
  TurnId turn;
  InboundKind kind = InboundKind::kData;
  std::string name;
  std::optional<std::int64_t> epoch;  // absent: the epoch of the link it came over
};

// The answer for an event whose epoch is right.
InboundAnswer AnswerFor(model::TurnState state, InboundKind kind);

}  // namespace falconer::kernel
