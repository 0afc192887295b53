#pragma once
// Words of bodies that several routes read. What is wrong is rejected by the name of its field.

#include <optional>
#include <string>

#include "base/json/json_reader.h"
#include "model/action/capability.h"
#include "model/policy_facts.h"

namespace falconer::api {

// "capabilities": names such as READ; none when absent.
model::CapabilitySet ReadCapabilities(JsonReader& in);
// "amount": "49.90 USD".
std::optional<model::Money> ReadAmount(JsonReader& in);
// "reason": why somebody does it; "" when absent.
std::string ReadReason(JsonReader& in);

}  // namespace falconer::api
