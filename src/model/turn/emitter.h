#pragma once
// Who says something on the control lane or decides something: the parts of the runtime by the ids
// they have on the wire.

#include <cstdint>

#include "base/json/json_reader.h"
#include "model/enum_set.h"

namespace falconer::model {

enum class Emitter : std::uint8_t {
  kIntake,            // takes in what callers ask for
  kTurn,              // the turn's own state machine
  kInterruption,      // what interrupts a turn from outside
  kProvider,          // calls to models and other services
  kMerge,             // joining of events
  kBuffer,            // bounded queues
  kFlow,              // flow control
  kSync,              // time domains
  kCancel,            // cancellation and its fence
  kBudget,            // time and tokens
  kOutput,            // what leaves for the page
  kLink,              // the connection to the browser
  kAuthority,         // leases and epochs
  kAdmission,         // gates of this node
  kRecorder,          // evidence
  kClusterAdmission,  // gates of the cluster
  kLeases,            // who holds a session
  kMigration,         // moves sessions between nodes
  kApprovals,         // people's yes or no
  kDialogs,           // dialogs of pages
  kTakeover,          // a person driving
};

inline constexpr EnumName<Emitter> kEmitters[] = {
    {Emitter::kIntake, "RK-02"},       {Emitter::kTurn, "RK-03"},
    {Emitter::kInterruption, "RK-06"}, {Emitter::kProvider, "RK-11"},
    {Emitter::kMerge, "RK-12"},        {Emitter::kBuffer, "RK-13"},
    {Emitter::kFlow, "RK-14"},         {Emitter::kSync, "RK-15"},
    {Emitter::kCancel, "RK-16"},       {Emitter::kBudget, "RK-17"},
    {Emitter::kOutput, "RK-22"},       {Emitter::kLink, "RK-23"},
    {Emitter::kAuthority, "RK-24"},    {Emitter::kAdmission, "RK-25"},
    {Emitter::kRecorder, "OR-02"},     {Emitter::kClusterAdmission, "CP-05"},
    {Emitter::kLeases, "CP-07"},       {Emitter::kMigration, "CP-08"},
    {Emitter::kApprovals, "EN-01"},    {Emitter::kDialogs, "EN-02"},
    {Emitter::kTakeover, "EN-03"},
};

using EmitterSet = EnumSet<Emitter>;

}  // namespace falconer::model
