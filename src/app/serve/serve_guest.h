#pragma once
// ServeGuest: something of this program's own that goes on in a server while it serves.

#include <functional>

#include "api/tools/tool_host.h"
#include "app/host/runtime_host.h"

namespace falconer::app {

class ServeGuest {
 public:
  using OpenRooms = std::function<Result<api::ToolRooms>()>;

  virtual ~ServeGuest() = default;

  // How the server's runtime must be made.
  virtual HostWishes Wishes() const = 0;
  // Once the server listens. It must not wait.
  virtual void Start(OpenRooms rooms) = 0;
  // Waits until it wants the server to end, at most until ctx ends. Fails when it could not do its
  // part.
  virtual Task<Result<void>> UntilOver(CallContext ctx) = 0;
  // Ends its part; before the runtime stops.
  virtual Task<Result<void>> Finish() = 0;
  // Puts away what the runtime used; after it has stopped.
  virtual Task<void> Stop(CallContext ctx) = 0;
};

}  // namespace falconer::app
