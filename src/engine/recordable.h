#pragma once
// What a caller sent, in a form that a record can hold. A record is canonical JSON of limited size;
// a contract that is refused may be anything.

#include "base/json/json.h"

namespace falconer::engine {

// {"contract": the value}, or, when it has no canonical form or is too large for a record,
// {"contract_digest": {"sha256", "bytes", "why"}}: the SHA-256 of its JSON text, and how long that
// is.
json::object ContractOnRecord(const json::value& wire);

// Gives canonical form to what quotes a caller: bytes that belong to no character become U+FFFD,
// numbers that no double holds become text.
void MakeRecordable(json::value& value);

}  // namespace falconer::engine
