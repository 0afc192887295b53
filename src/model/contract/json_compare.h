#pragma once
// Comparisons of JSON values as rules need them: by meaning, not by how a number happens to be
// stored.

#include <optional>
#include <string>

#include "base/json/json.h"
#include "model/contract/rule_payload.h"

namespace falconer::model {

// 1 equals 1.0; objects are equal whatever the order of their members.
bool JsonEquals(const json::value& a, const json::value& b);

// A string as it is, a number or a bool as its JSON text; nothing for the rest.
std::optional<std::string> ScalarText(const json::value& value);

// Does the found value (null when there is none) satisfy the rule's comparison?
bool FieldHolds(const JsonFieldRule& rule, const json::value* found);

}  // namespace falconer::model
