#pragma once
// EgressDoor: the one way out of a session's browser context, when there is one: a proxy that knows
// each session by credentials of its own, and keeps a book on what went through. Whoever runs such
// a proxy implements it.

#include <cstdint>
#include <memory>
#include <string>

#include "base/ids.h"
#include "model/egress.h"

namespace falconer::browser {

struct EgressPass {
  std::string proxy_server;  // "http://127.0.0.1:41234"
  std::string user;
  std::string password;
};

// Where something wants to go that is about to be let out.
struct EgressPlace {
  std::string scheme;  // "http", "ws"; "https" for a tunnel, whatever goes through it
  std::string host;    // "example.org", "127.0.0.1", "[::1]": lower case, no dot at the end
  std::uint16_t port = 0;
  std::string method;  // "" in a tunnel: nobody can tell
};

struct EgressOpinion {
  bool is_allowed = true;
  std::string rule = {};    // what decided
  std::string reason = {};  // a stable word
};

// Whoever governs a session, asked about everything that leaves it. The rule for requests
// (RequestRule) is asked with more facts, but not about everything: WebSockets and what the browser
// fetches on its own account never stop there.
class EgressJudge {
 public:
  virtual ~EgressJudge() = default;
  // On any thread, at any time. MUST NOT wait.
  virtual EgressOpinion Judge(const EgressPlace& place) const = 0;
};

class EgressDoor {
 public:
  virtual ~EgressDoor() = default;
  // Lets a session out. Asked once for each, before its browser context is made.
  virtual EgressPass Admit(const SessionId& session) = 0;
  // From now on the judge is asked about everything of the session, beside the door's own rules.
  virtual void Govern(const SessionId& session, std::shared_ptr<const EgressJudge> judge) = 0;
  // Ends whatever the session still has under way; it gets no further.
  virtual void Dismiss(const SessionId& session) = 0;

  // Opens the way to a host that the session will likely ask for, by the same rules, without
  // sending anything. Nobody waits for it.
  virtual void Warm(const SessionId& /*session*/, const std::string& /*host*/,
                    std::uint16_t /*port*/) {}

  // Where the book of the session stands, and what came in since. MUST NOT wait.
  virtual model::EgressMark Mark(const SessionId& session) const = 0;
  virtual model::EgressReport Since(const SessionId& session,
                                    const model::EgressMark& mark) const = 0;
};

}  // namespace falconer::browser
