#pragma once
// Reading what others wrote: fields may be missing, null, or new. What is not as expected reads as
// nothing; whether that matters is decided where the answer is put together.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace falconer::agent {

// Null when there is none of that type.
const json::object* ObjectAt(const json::object& object, std::string_view key);
const json::array* ArrayAt(const json::object& object, std::string_view key);
// A whole number that is not negative; 0 when there is none.
std::int64_t CountAt(const json::object& object, std::string_view key);
// The objects of an array; nothing when there is none.
std::vector<const json::object*> ObjectsAt(const json::object& object, std::string_view key);
// Whether there is an "error" in whatever form; null is none.
bool HasError(const json::object& body);
// The short words of {"error": {"code", "type"}}, exact ones first.
std::vector<std::string> ErrorWordsIn(const json::object& body);

}  // namespace falconer::agent
