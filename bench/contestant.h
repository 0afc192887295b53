#pragma once
// One driver under measurement. Every contestant does the same operations on the same pages with
// the same browser; each operation measures itself and succeeds only when the page confirmed its
// effect.
//
// Calls block and come from one thread. A contestant that needs an event loop runs it inside the
// call.

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "bench/outcome.h"
#include "bench/samples.h"
#include "bench/site.h"

namespace falconer::bench {

// What one operation took, and how large its answer was (reads and screenshots).
struct Measured {
  Nanos took{};
  std::size_t bytes = 0;
};

// Several sessions at once, each repeating navigate, read, fill, click until the time is over.
struct CyclePlan {
  std::size_t sessions = 1;
  std::chrono::milliseconds length{};
  Site site;
  std::string label;  // makes the nonces of this plan unique
};

struct CycleTotals {
  std::size_t actions = 0;      // of complete cycles only
  std::size_t failed = 0;       // cycles in which an effect was not confirmed
  std::size_t lost_events = 0;  // announced by the page on its console, never seen by the driver
  Nanos took{};
  std::string first_failure;
};

class Contestant {
 public:
  virtual ~Contestant() = default;

  virtual std::string_view name() const = 0;
  // The process whose memory is the driver's own; the browser is what descends from it.
  virtual pid_t driver_pid() const = 0;

  // Starts a browser, opens session 0 and loads `first` in it; the time is from start to loaded.
  virtual Outcome<Measured> Launch(const Visit& first) = 0;
  // Ends the browser and forgets the sessions. Does nothing when none runs; Launch may follow.
  virtual void Shut() = 0;

  // Opens one more isolated session; the time is until a script answers in it.
  virtual Outcome<Measured> OpenSession() = 0;
  // Disposes of the newest session.
  virtual Outcome<void> CloseSession() = 0;
  virtual std::size_t sessions() const = 0;

  // Until the load event; the visit's nonce is confirmed outside the measured time.
  virtual Outcome<Measured> Navigate(std::size_t session, const Visit& visit) = 0;
  // Clicks the counter button and confirms that the page counted exactly one more click.
  virtual Outcome<Measured> Click(std::size_t session) = 0;
  // Replaces the text of the field and confirms that the page's own listener saw it.
  virtual Outcome<Measured> Fill(std::size_t session, std::string field, std::string text) = 0;
  // Reads the page; the answer must contain every mark.
  virtual Outcome<Measured> ReadState(std::size_t session, std::vector<std::string> marks) = 0;
  // Lets the page change one element's text to `token` (not measured), then reads what changed.
  virtual Outcome<Measured> ReadDelta(std::size_t session, std::string token) = 0;
  virtual Outcome<Measured> Screenshot(std::size_t session) = 0;

  // Opens the sessions that are missing before the time starts.
  virtual Outcome<CycleTotals> RunCycles(const CyclePlan& plan) = 0;
};

}  // namespace falconer::bench
