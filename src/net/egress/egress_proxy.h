#pragma once
// EgressProxy: the one way out for browsers: an HTTP proxy on loopback (absolute-form requests,
// CONNECT, WebSocket through both). Each session has credentials of its own; names are looked up
// here, every address is checked by the rule, and exactly a checked address is dialled. Nothing
// here is thread safe: everything, hooks included, runs on the loop it was given.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/async/call_context.h"
#include "net/egress/egress_observer.h"
#include "net/egress/egress_options.h"
#include "net/egress/egress_session.h"
#include "net/egress/resolver.h"

namespace falconer::net {

class EgressProxy {
 public:
  // The hooks and the clock must outlive the proxy's connections, that is: Stop().
  EgressProxy(const Executor& executor, Clock& clock, Resolver& resolver, EgressRule& rule,
              EgressObserver& observer, EgressOptions options = {});
  // Breaks off whatever still goes on. On the loop, or after the loop has ended.
  ~EgressProxy();
  EgressProxy(const EgressProxy&) = delete;
  EgressProxy& operator=(const EgressProxy&) = delete;

  // Binds and starts to accept. Fails with kInvalidArgument for an address that is not loopback and
  // with kNetworkError when the port is taken.
  Result<void> Listen();
  // Closes the port, ends every connection and returns when none is left.
  Task<void> Stop();

  // Lets a session out, with new credentials. Fails with kAlreadyExists for a second one of the
  // same id and with kInvalidArgument for an id that cannot be a user name (empty, with a colon).
  Result<EgressCredentials> Admit(const SessionId& session, EgressLimits limits = {});
  // The same with a password that somebody else has made up.
  Result<void> AdmitWith(const SessionId& session, std::string password, EgressLimits limits = {});
  // One that nobody guesses. On any thread.
  static std::string NewPassword();
  // Ends the session's connections; its credentials are worth nothing from now on.
  void Dismiss(const SessionId& session);
  // Opens a connection to a host that the session will likely ask for, by the same rules, and keeps
  // it for a while. Nothing is sent. Nobody waits for it, and nobody is told when it fails.
  void Warm(const SessionId& session, const std::string& host, std::uint16_t port);
  std::optional<EgressCounts> CountsOf(const SessionId& session) const;

  // The port it listens on; 0 before Listen().
  std::uint16_t port() const;
  std::size_t connections() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace falconer::net
