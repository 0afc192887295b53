#pragma once
// RevealSecret: how a value gets from the desk to the one call that types or compares it.

#include <functional>
#include <string>

#include "base/async/call_context.h"
#include "browser/actions/secret_fields.h"
#include "policy/secrets/secret_use.h"

namespace falconer::engine {

class SecretDesk;

// The value of the secret that is named, for the document it goes into.
using RevealSecret = std::function<Task<Result<std::string>>(CallContext, browser::SecretUse,
                                                             policy::SecretPurpose)>;

// From the desk, which must outlive it, for the agent; empty when there is none. A document counts
// by its origin: a blank one belongs to its maker, and one that belongs to nobody gets no secret.
RevealSecret RevealFrom(SecretDesk* desk, std::string agent);

}  // namespace falconer::engine
