#pragma once
// The keywords of JSON Schema that are understood, one row each.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace falconer::agent {

// What is wrong, and where: "fields[2].value", "" for the whole.
struct SchemaFinding {
  std::string path;
  std::string what;
};

// One value and the schema it is held against.
struct SchemaCase {
  const json::object& schema;
  const json::value& value;
  const std::string& path;
};

// What of the keyword's operand are schemas themselves.
enum class Subschemas : std::uint8_t { kNone, kOne, kList, kMap };

struct KeywordRow {
  std::string_view name;
  bool (*is_well_formed)(const json::value& operand);
  // Null for what only describes.
  std::optional<SchemaFinding> (*check)(const SchemaCase& at, const json::value& operand) = nullptr;
  Subschemas inner = Subschemas::kNone;
};

std::span<const KeywordRow> AllKeywords();
const KeywordRow* KeywordNamed(std::string_view name);

// The value against a whole schema: an object, true or false.
std::optional<SchemaFinding> CheckValue(const json::value& schema, const json::value& value,
                                        const std::string& path);

}  // namespace falconer::agent
