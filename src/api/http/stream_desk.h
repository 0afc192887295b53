#pragma once
// StreamDesk: the live streams of a server: its hub, once there are sessions to show, and the
// tickets for them.

#include <optional>

#include "api/http/stream_tickets.h"
#include "browser/stream/stream_hub.h"

namespace falconer::api {

class StreamDesk {
 public:
  // The clock must outlive the desk.
  StreamDesk(Executor executor, Clock& clock, browser::StreamOptions options)
      : executor_(std::move(executor)), clock_(clock), options_(options), tickets_(clock) {}

  // The hub for these sessions, which must outlive Stop(). Always the same ones.
  browser::StreamHub& Hub(browser::SessionManager& sessions);
  StreamTickets& tickets() { return tickets_; }

  // Ends every stream; viewers are told.
  Task<void> Stop(Error why);

 private:
  Executor executor_;
  Clock& clock_;
  browser::StreamOptions options_;
  StreamTickets tickets_;
  std::optional<browser::StreamHub> hub_;
};

}  // namespace falconer::api
