#pragma once
// BreakerStore: one circuit per tenant and domain, shared by all processes. It opens after too many
// failures of the site in a short time; after a pause exactly one action is let through as a probe,
// and what comes of it closes the circuit or opens it again. Calls behave as those of ControlStore.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/async/clock.h"
#include "base/async/task.h"
#include "base/ids.h"
#include "base/json/json_reader.h"

namespace falconer::store {

struct BreakerLimits {
  std::uint64_t threshold = 5;  // failures that open a circuit; 0: circuits never open
  std::chrono::milliseconds window = std::chrono::seconds(120);
  std::chrono::milliseconds open_for = std::chrono::seconds(60);
  // A probe that nobody has heard of for this long is given up: longer than an action takes, with
  // the time that people have to approve it.
  std::chrono::milliseconds probe_for = std::chrono::minutes(15);
};

struct CircuitKey {
  TenantId tenant;
  std::string domain;

  friend auto operator<=>(const CircuitKey&, const CircuitKey&) = default;
};

enum class CircuitState : std::uint8_t { kClosed, kOpen, kHalfOpen };

inline constexpr EnumName<CircuitState> kCircuitStates[] = {
    {CircuitState::kClosed, "closed"},
    {CircuitState::kOpen, "open"},
    {CircuitState::kHalfOpen, "half_open"},
};

struct CircuitRequest {
  CircuitKey key;
  BreakerLimits limits;
  std::string holder;            // who carries the probe out, if it becomes one
  std::string gone_holder = {};  // of whom the caller knows that it has ended
};

// The one action that may try a circuit.
struct ProbeTicket {
  CircuitKey key;
  std::uint64_t id = 0;
};

struct CircuitAnswer {
  CircuitState state = CircuitState::kClosed;
  std::uint64_t failures = 0;                // in the window, while closed
  std::chrono::milliseconds retry_after{0};  // for what is refused
  std::optional<ProbeTicket> probe;          // for the one that is let through
  std::string holder;                        // of the probe that is under way
};

// What a turn said about the site.
enum class SiteOutcome : std::uint8_t { kUp, kDown };

struct CircuitNote {
  CircuitKey key;
  BreakerLimits limits;
  SiteOutcome outcome = SiteOutcome::kUp;
  std::uint64_t probe = 0;  // of the ticket, if the turn was the probe
};

struct CircuitQuery {
  TenantId tenant;  // empty: every one
  // How old the failures of closed circuits may be: as BreakerLimits has it.
  std::chrono::milliseconds window = BreakerLimits().window;
};

struct ListedCircuit {
  CircuitKey key;
  CircuitState state = CircuitState::kClosed;
  std::uint64_t failures = 0;  // in the window while closed, else those that opened it
  WallTime since;              // it opened; the newest failure while it is closed
  std::chrono::milliseconds retry_after{0};

  // {"tenant", "domain", "state", "failures", "since", "retry_after_ms"?}.
  json::object ToJson() const;
};

struct CircuitCounts {
  std::uint64_t open = 0;
  std::uint64_t half_open = 0;  // open for long enough: waiting for a probe, or for its end
};

class BreakerStore {
 public:
  virtual ~BreakerStore() = default;

  // May an action go there? Of all who ask for a circuit that was open for long enough only one
  // gets the probe, until NoteOutcome or PostReturnProbe, or until its holder is given up.
  virtual Task<Result<CircuitAnswer>> EnterCircuit(CircuitRequest request) = 0;
  // What came of a turn; answers the circuit's state now. While it is closed a failure is counted
  // and a success clears what was counted; after that only the probe changes anything.
  virtual Task<Result<CircuitState>> NoteOutcome(CircuitNote note) = 0;
  // The probe said nothing about the site: the next one to ask gets it. Done soon, without an
  // answer; a failure is logged, and the probe is given up in time.
  virtual void PostReturnProbe(ProbeTicket ticket) = 0;

  // Circuits that are not closed or have counted failures.
  virtual Task<Result<std::vector<ListedCircuit>>> ListCircuits(CircuitQuery query) = 0;
  // Closes circuits: of every tenant, of every domain, where the key says none. Answers how many
  // were not closed.
  virtual Task<Result<std::uint64_t>> ResetCircuits(CircuitKey key) = 0;
  virtual Task<Result<CircuitCounts>> CountCircuits() = 0;
};

}  // namespace falconer::store
