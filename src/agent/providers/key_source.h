#pragma once
// KeySource: how a provider's key is had for one call, and where it is forgotten again.

#include <functional>
#include <string>

#include "base/async/call_context.h"
#include "policy/secrets/secret_reference.h"
#include "policy/secrets/secret_text.h"

namespace falconer::engine {
class SecretDesk;
}  // namespace falconer::engine

namespace falconer::agent {

// The value of the secret, for that address.
using KeySource = std::function<Task<Result<policy::SecretText>>(
    CallContext ctx, policy::SecretReference reference, std::string url)>;

// From the desk, which must outlive it: a key goes only to hosts that it is bound to, never
// unencrypted over a network, and the redactor knows it from then on.
KeySource KeysFrom(engine::SecretDesk* desk);

}  // namespace falconer::agent
