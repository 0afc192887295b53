#pragma once
// EgressDoor: the one way out of a session's browser context, when there is one: a proxy that knows
// each session by credentials of its own, and keeps a book on what went through. Whoever runs such
// a proxy implements it.

#include <string>

#include "base/ids.h"
#include "model/egress.h"

namespace falconer::browser {

struct EgressPass {
  std::string proxy_server;  // "http://127.0.0.1:41234"
  std::string user;
  std::string password;
};

class EgressDoor {
 public:
  virtual ~EgressDoor() = default;
  // Lets a session out. Asked once for each, before its browser context is made.
  virtual EgressPass Admit(const SessionId& session) = 0;
  // Ends whatever the session still has under way; it gets no further.
  virtual void Dismiss(const SessionId& session) = 0;

  // Where the book of the session stands, and what came in since. MUST NOT wait.
  virtual model::EgressMark Mark(const SessionId& session) const = 0;
  virtual model::EgressReport Since(const SessionId& session,
                                    const model::EgressMark& mark) const = 0;
};

}  // namespace falconer::browser
