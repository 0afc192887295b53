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
// More than any provider counts; sums and prices of it are still numbers.
inline constexpr std::int64_t kMostCounted = 10'000'000'000;

// A whole number from 0 to kMostCounted; 0 when there is none.
std::int64_t CountAt(const json::object& object, std::string_view key);
// The objects of an array; nothing when there is none.
std::vector<const json::object*> ObjectsAt(const json::object& object, std::string_view key);
// Whether there is an "error" in whatever form; null is none.
bool HasError(const json::object& body);
// The short words of {"error": {"code", "type"}}, exact ones first.
std::vector<std::string> ErrorWordsIn(const json::object& body);

}  // namespace falconer::agent
