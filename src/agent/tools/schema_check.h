#pragma once
// Checks the arguments of a call against the tool's schema, before anything is done: the part of
// JSON Schema 2020-12 that tools use. What a schema says is either understood or refused when its
// tool is registered; a rule is never passed over silently.

#include <cstdint>

#include "base/json/json.h"

namespace falconer::agent {

enum class SchemaStrictness : std::uint8_t {
  kEveryKeyword,  // one that is not understood is an error
  kLetThrough,    // of a tool of somebody else, who checks what is not understood here
};

// kValidationError naming the place of a keyword that is not understood, or not well formed.
Result<void> CheckSchema(const json::object& schema, SchemaStrictness strictness);

// kValidationError naming the first place that is wrong, what was expected there, and what was
// probably meant: "fields[2].value: expected string, got number". Values are not quoted, because
// they may be secret. A member that is null counts as absent where null is not allowed.
Result<void> CheckArguments(const json::object& schema, const json::object& arguments);

}  // namespace falconer::agent
