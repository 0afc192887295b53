#include "kernel/turn/late_events.h"

namespace falconer::kernel {
namespace {

using enum InboundKind;
using enum InboundAnswer;
using model::TurnState;

struct LateRow {
  TurnState state;
  InboundKind kind;
  InboundAnswer answer;
};

constexpr LateRow kLateRows[] = {
    // Before a turn is open there is nothing that data could belong to.
    {TurnState::kIdle, kData, kDiagnose},        {TurnState::kIdle, kControl, kDiagnose},
    {TurnState::kIdle, kIntent, kRemap},         {TurnState::kOpening, kData, kDiagnose},
    {TurnState::kOpening, kControl, kDiagnose},  {TurnState::kOpening, kIntent, kRemap},
    {TurnState::kActive, kData, kTake},          {TurnState::kActive, kControl, kTake},
    {TurnState::kActive, kIntent, kRemap},       {TurnState::kTerminal, kData, kDrop},
    {TurnState::kTerminal, kControl, kDiagnose}, {TurnState::kTerminal, kIntent, kRemap},
    {TurnState::kClosed, kData, kDrop},          {TurnState::kClosed, kControl, kDiagnose},
    {TurnState::kClosed, kIntent, kRemap},
};

}  // namespace

InboundAnswer AnswerFor(TurnState state, InboundKind kind) {
  for (const LateRow& row : kLateRows) {
    if (row.state == state && row.kind == kind) return row.answer;
  }
  return kDiagnose;
}

}  // namespace falconer::kernel
