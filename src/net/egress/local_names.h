#pragma once
// LocalNames: "localhost" and what is below it are this machine, whatever a name server says: that
// is how browsers read them (RFC 6761). Every other name is asked of another resolver.

#include "net/egress/resolver.h"

namespace falconer::net {

class LocalNames final : public Resolver {
 public:
  // `inner` must outlive it.
  explicit LocalNames(Resolver& inner) : inner_(inner) {}
  Task<Result<Addresses>> Resolve(CallContext ctx, std::string name) override;

 private:
  Resolver& inner_;
};

}  // namespace falconer::net
