#pragma once
// EgressBook: what left each session through the egress proxy, or wanted to. Written on the proxy's
// thread, read on any.

#include <deque>
#include <map>
#include <mutex>

#include "model/egress.h"
#include "net/egress/egress_observer.h"

namespace falconer::app {

class EgressBook final : public net::EgressObserver {
 public:
  struct Limits {
    // Of one session; of those that have ended the oldest goes first.
    std::size_t lines = 512;
    // Sessions that are over and whose books are still kept, for turns that end after them.
    std::size_t closed_sessions = 64;
  };

  EgressBook() : EgressBook(Limits()) {}
  explicit EgressBook(Limits limits) : limits_(limits) {}

  void OnOpened(const net::EgressEvent& event) override { Write(event); }
  void OnMoved(const net::EgressEvent& event) override { Write(event); }
  void OnEnded(const net::EgressEvent& event) override { Write(event); }

  // Begins a book; what is said of a session without one is not kept.
  void Open(const SessionId& session);
  model::EgressMark Mark(const SessionId& session) const;
  model::EgressReport Since(const SessionId& session, const model::EgressMark& mark) const;
  // The session is over: its book may go when others take its place.
  void Close(const SessionId& session);

 private:
  struct Line {
    model::EgressEntry entry;
    // The book's seq at that time.
    std::uint64_t begun = 0;
    std::uint64_t changed = 0;
  };
  struct Pages {
    model::EgressMark now;
    std::map<std::uint64_t, Line> lines;  // by number
  };

  void Write(const net::EgressEvent& event);
  void MakeRoom(Pages& pages) const;

  const Limits limits_;
  mutable std::mutex mutex_;  // guards the rest
  std::map<SessionId, Pages> sessions_;
  std::deque<SessionId> closed_;
};

}  // namespace falconer::app
