#pragma once
// Where the kernel says what happens: hooks it owns, implemented above it. A sink MUST NOT call
// back into what called it, and must not wait.

#include "model/turn/decision.h"
#include "model/turn/event.h"
#include "model/turn/signal.h"

namespace falconer::kernel {

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void Emit(const model::ControlSignal& signal) = 0;
  virtual void Emit(const model::EventRecord& event) = 0;
};

// Every decision goes here, also those that refuse.
class DecisionSink {
 public:
  virtual ~DecisionSink() = default;
  virtual void Record(const model::DecisionOutcome& decision) = 0;
};

}  // namespace falconer::kernel
