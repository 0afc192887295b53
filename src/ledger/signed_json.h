#pragma once
// A JSON object with a signature: {..., "key": id, "signature": hex}, signed in its canonical form
// without the signature.

#include <span>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "ledger/signing_key.h"

namespace falconer::ledger {

// The canonical text of the object with "key" and "signature". kInvalidArgument for an object that
// has no canonical form.
Result<std::string> SignJson(json::object object, const SigningKey& key);

// The object without "key" and "signature". kLedgerDamaged unless one of the keys signed it.
Result<json::object> ParseSignedJson(std::string_view text, std::span<const PublicKey> keys);

}  // namespace falconer::ledger
