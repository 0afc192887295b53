#pragma once
// Whether an RSA key is one that nobody can guess.

#include <openssl/types.h>

#include "base/error.h"

namespace falconer::policy {

// kInvalidArgument saying what is weak about it.
Result<void> CheckRsaStrength(const EVP_PKEY* key);

}  // namespace falconer::policy
