#pragma once
// StreamTickets: a page cannot send a key with a picture it shows (<img src>), so whoever has a key
// gets a ticket for it: good for watching one session, for a short time, and for nothing else.

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "base/async/clock.h"
#include "base/error.h"

namespace falconer::api {

class StreamTickets {
 public:
  static constexpr auto kLifetime = std::chrono::seconds(60);

  // The clock must outlive this.
  explicit StreamTickets(const Clock& clock) : clock_(clock) {}

  // kQueueFull when too many are out.
  Result<std::string> Issue(std::string session);
  // Whether it is good for that session now.
  bool Admits(std::string_view ticket, std::string_view session) const;

  std::size_t size() const { return tickets_.size(); }

 private:
  struct Ticket {
    std::string session;
    TimePoint until;
  };

  const Clock& clock_;
  // By SHA-256 in hex, as keys are.
  std::map<std::string, Ticket, std::less<>> tickets_;
};

}  // namespace falconer::api
