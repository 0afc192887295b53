#pragma once
// Departure: what happens to one message that may have to wait before it is written. Whoever
// carries the message asks at the last moment, so that what was called off meanwhile stays here.

namespace falconer {

class Departure {
 public:
  virtual ~Departure() = default;

  // Asked right before the first byte is written. After a no nothing of the message is written, and
  // whoever answered so knows it: nobody else is told.
  virtual bool MayLeave() = 0;
  // The last byte was handed over.
  virtual void DidLeave() = 0;
};

}  // namespace falconer
