#pragma once
// JSON for every room: the short name of Boost.JSON and a parser that is stricter and more exact
// than the library's default (no duplicate keys, doubles rounded to nearest).

#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include "base/error.h"

namespace falconer {

namespace json = boost::json;

// Deeper texts are refused: values are walked recursively, and no honest message nests this far.
inline constexpr std::size_t kMaxJsonDepth = 512;

// Parses one JSON text (RFC 8259). Fails with kInvalidArgument naming the byte offset when the text
// is not JSON, nests deeper than kMaxJsonDepth, is not valid UTF-8, holds a lone surrogate or a
// number no double can hold, or gives an object the same key twice.
Result<json::value> ParseJson(std::string_view text);

// The same for a text that must be an object.
Result<json::object> ParseJsonObject(std::string_view text);

// "null", "bool", "number", "string", "array" or "object": for messages about a wrong type.
std::string_view JsonTypeName(const json::value& value);

// For answers of our own making, where a missing field means "no": the text under `key`, or "".
std::string TextAt(const json::object& object, std::string_view key);
// Whether the field is there and true.
bool IsTrueAt(const json::object& object, std::string_view key);

}  // namespace falconer
