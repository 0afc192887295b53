#pragma once
// What the words of the commands about tokens mean.

#include <optional>

#include "app/command.h"
#include "policy/tokens/token_demand.h"
#include "policy/tokens/token_issuer.h"

namespace falconer::app {

// The request of `token issue`. kInvalidArgument naming the option.
Result<policy::TokenRequest> TokenRequestOf(const Arguments& arguments, const TenantId& tenant);
// What `token verify` asks for beside the token itself.
Result<policy::TokenDemand> TokenDemandOf(const Arguments& arguments);
// The token: from the words, or from standard input.
Result<std::string> TokenOf(const Arguments& arguments);
// --tenant, or the given one.
TenantId TokenTenantOf(const Arguments& arguments, const TenantId& otherwise);

}  // namespace falconer::app
