#pragma once
// SequenceGuard: the sequences of one session must rise. A repeated or earlier number is refused
// and does not move the guard.

#include "model/turn/event_header.h"

namespace falconer::model {

class SequenceGuard {
 public:
  // kInvalidArgument when runtime_sequence does not rise or transport_sequence falls; several
  // events may come from one message of the transport.
  Result<void> Accept(const EventHeader& header);

 private:
  std::int64_t last_runtime_ = -1;
  std::int64_t last_transport_ = -1;
};

}  // namespace falconer::model
