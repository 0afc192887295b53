#pragma once
// Scrubber: takes secrets out of a payload before it is written. A ledger cannot forget, so nothing
// secret may ever reach it.

#include "base/json/json.h"

namespace falconer::ledger {

// Implemented above this room by whoever knows the secrets in use.
class Scrubber {
 public:
  virtual ~Scrubber() = default;
  // Changes the payload in place; doing so twice MUST change nothing more. Called from any thread.
  virtual void Scrub(json::object& payload) const = 0;
};

}  // namespace falconer::ledger
