#pragma once
// One element in one line, and the change of one.

#include <string>

#include "base/json/json.h"
#include "model/state/state.h"

namespace falconer::model {

// d3e4 textbox "Email" = "ada@example.com" required
std::string ElementLine(const ElementState& element);
// d3e4 value "ada@example.com", focused; "" when nothing a model cares for has changed.
std::string ElementChange(const std::string& ref, const json::object& fields);
// # "Checkout", status "Sent", "Plain words"
std::string TextLine(const TextState& text);
// error "The address is missing" d3e4
std::string ErrorLine(const ErrorState& error);

}  // namespace falconer::model
