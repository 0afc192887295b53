#include "net/egress/resolver_chain.h"

#include <utility>

#include "base/check.h"

namespace falconer::net {

ResolverChain::ResolverChain(std::vector<std::unique_ptr<Resolver>> resolvers)
    : resolvers_(std::move(resolvers)) {
  CHECK(!resolvers_.empty(), "somebody must be asked");
}

Task<Result<Addresses>> ResolverChain::Resolve(CallContext ctx, std::string name) {
  Result<Addresses> found;
  for (const auto& resolver : resolvers_) {
    found = co_await resolver->Resolve(ctx, name);
    if (found || found.error().code() == ErrorCode::kNotFound) break;
    CO_TRY(ctx.StillWanted("the name"));
  }
  co_return found;
}

}  // namespace falconer::net
