#pragma once
// SystemResolver: the names as this machine knows them (getaddrinfo). The library's call cannot be
// interrupted, so it runs on a few threads of its own: a name server that does not answer holds up
// neither the event loop nor, as long as a thread is free, other names.

#include <memory>

#include "net/egress/resolver.h"

namespace falconer::net {

// Goes away before the event loops that use it.
class SystemResolver final : public Resolver {
 public:
  struct Options {
    std::size_t threads = 4;
    std::size_t max_waiting = 256;  // beyond: kQueueFull
  };

  SystemResolver();
  explicit SystemResolver(Options options);
  // Waits for no lookup that hangs: its thread ends by itself and its result is nobody's.
  ~SystemResolver() override;
  SystemResolver(const SystemResolver&) = delete;
  SystemResolver& operator=(const SystemResolver&) = delete;

  Task<Result<Addresses>> Resolve(CallContext ctx, std::string name) override;

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace falconer::net
