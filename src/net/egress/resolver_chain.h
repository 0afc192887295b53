#pragma once
// ResolverChain: several resolvers that know the same names, asked in turn: the next one when one
// does not answer. That there is no such name is an answer.

#include <memory>
#include <vector>

#include "net/egress/resolver.h"

namespace falconer::net {

class ResolverChain final : public Resolver {
 public:
  // At least one.
  explicit ResolverChain(std::vector<std::unique_ptr<Resolver>> resolvers);
  Task<Result<Addresses>> Resolve(CallContext ctx, std::string name) override;

 private:
  std::vector<std::unique_ptr<Resolver>> resolvers_;
};

}  // namespace falconer::net
