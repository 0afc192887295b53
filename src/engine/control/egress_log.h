#pragma once
// EgressLog: what left one browser session, asked by marks: everything between a mark taken when a
// turn begins and its end is put down to that turn. Empty for a session that has no egress proxy.

#include "browser/network/egress_door.h"
#include "browser/session.h"

namespace falconer::engine {

class EgressLog {
 public:
  // `session` must outlive the log.
  explicit EgressLog(const browser::Session& session) : session_(session) {}

  bool is_kept() const { return door() != nullptr; }
  model::EgressMark Mark() const {
    return is_kept() ? door()->Mark(session_.id()) : model::EgressMark();
  }
  // Requests and tunnels since the mark with host, port, kind, bytes, outcome, reason and decision.
  model::EgressReport Since(const model::EgressMark& mark) const {
    return is_kept() ? door()->Since(session_.id(), mark) : model::EgressReport();
  }

 private:
  const browser::EgressDoor* door() const { return session_.options().egress.get(); }

  const browser::Session& session_;
};

}  // namespace falconer::engine
