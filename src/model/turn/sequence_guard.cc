#include "model/turn/sequence_guard.h"

#include <fmt/format.h>

namespace falconer::model {

Result<void> SequenceGuard::Accept(const EventHeader& header) {
  if (header.runtime_sequence <= last_runtime_) {
    return RefuseField("event", "runtime_sequence",
                       fmt::format("{} comes after {}", header.runtime_sequence, last_runtime_));
  }
  if (header.transport_sequence < last_transport_) {
    return RefuseField(
        "event", "transport_sequence",
        fmt::format("{} comes after {}", header.transport_sequence, last_transport_));
  }
  last_runtime_ = header.runtime_sequence;
  last_transport_ = header.transport_sequence;
  return {};
}

}  // namespace falconer::model
