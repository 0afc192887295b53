#pragma once
// Questions that answers put, as the suite wants them.

#include <string>
#include <string_view>

#include "api/mcp/client_input.h"

namespace falconer::test {

// A form with one field.
json::object FormRequest(std::string_view message, std::string_view field, std::string_view type);
json::object SamplingRequest(std::string_view text);
json::object RootsRequest();

// What a form brought under its field; null when it brought nothing.
json::value FilledIn(const json::object& responses, std::string_view name, std::string_view field);

// A state that only this process can make, and what it says. Nothing when somebody changed it.
std::string Sealed(const json::object& state);
std::optional<json::object> Unsealed(std::string_view text);

}  // namespace falconer::test
