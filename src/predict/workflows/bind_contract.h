#pragma once
// What a contract says, with the values of parameters put in. Where a parameter may stand, and what
// its value becomes there, is one table: a value is never more than a value.

#include <string>

#include "base/json/json.h"
#include "model/fingerprint/fingerprint.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {

// What to do with selectors that a value does not go into, as long as others are left.
enum class LostSelectors : std::uint8_t { kLeaveOut, kRefuse };

// kInvalidArgument naming the field where a parameter stands that may not, or whose value does not
// go there; kInvalidSelector; and what `value_of` fails with.
Result<json::object> BindContract(const json::object& contract, const ValueOf& value_of,
                                  LostSelectors lost = LostSelectors::kLeaveOut);

// The texts and selectors of a fingerprint; selectors that a value does not go into are left out.
// Fails with what `value_of` fails with.
Result<void> BindElement(model::Fingerprint& element, const ValueOf& value_of);

}  // namespace falconer::predict
