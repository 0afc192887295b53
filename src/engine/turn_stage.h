#pragma once
// The stages a contract passes on its way to its answer, in order. Whoever wants to know, such as a
// test that ends the program at each of them, is told as each is reached.

#include <cstdint>

#include "base/json/json_reader.h"

namespace falconer::engine {

enum class TurnStage : std::uint8_t {
  kAdmitted,   // the gates let it pass; nothing is on record yet
  kAnnounced,  // the turn is on record as begun; nothing has left for the page
  kActed,      // the page has it; nothing of that is on record
  kSealed,     // the outcome is on record; nobody was answered
  kAnswered,   // the caller has the answer; the index may not
};

inline constexpr EnumName<TurnStage> kTurnStages[] = {
    {TurnStage::kAdmitted, "admitted"}, {TurnStage::kAnnounced, "announced"},
    {TurnStage::kActed, "acted"},       {TurnStage::kSealed, "sealed"},
    {TurnStage::kAnswered, "answered"},
};

}  // namespace falconer::engine
