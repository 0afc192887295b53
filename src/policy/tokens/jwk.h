#pragma once
// Reading a JSON Web Key (RFC 7517, RFC 8037). For .cc files only: brings OpenSSL's types.

#include "base/json/json.h"
#include "policy/tokens/openssl_types.h"

namespace falconer::policy {

// The public key; that it is strong is not checked here. kInvalidArgument naming the member.
Result<SslKey> ParseJwk(const json::object& jwk);

}  // namespace falconer::policy
