#pragma once
// Scrubber: takes secrets out of a payload before it is written. A ledger cannot forget, so nothing
// secret may ever reach it.

#include <span>
#include <string_view>

#include "base/json/json.h"

namespace falconer::ledger {

// Implemented above this room by whoever knows the secrets in use.
class Scrubber {
 public:
  virtual ~Scrubber() = default;
  // Changes the payload in place. Called from any thread.
  virtual void Scrub(json::object& payload) const = 0;
};

// Replaces what stands under keys that are named like secrets (SecretKeyEndings) by "[scrubbed]".
// A reference {"secret":"NAME"} stays: it names a secret and holds none. Numbers, true, false and
// null stay too.
class KeyNameScrubber final : public Scrubber {
 public:
  void Scrub(json::object& payload) const override;
};

// A key is secret when it ends like one of these, without regard to case, "-" and "_".
std::span<const std::string_view> SecretKeyEndings();

inline constexpr std::string_view kScrubbed = "[scrubbed]";

}  // namespace falconer::ledger
