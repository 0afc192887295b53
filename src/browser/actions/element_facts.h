#pragma once
// What the script tells about the element that an action is about to meet.

#include "base/json/json.h"
#include "model/policy_facts.h"

namespace falconer::browser {

// Strict: facts that cannot be read decide nothing. kProtocolError names the field. The kinds of
// the form's fields are left to whoever judges them.
Result<model::ElementFacts> ReadElementFacts(const json::value& met);

// Whether a press on it goes to a document of its own, about which these facts say nothing.
bool HoldsDocument(const model::ElementFacts& met);

}  // namespace falconer::browser
