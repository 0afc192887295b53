#pragma once
// For the files of the schema only: JSON Schema in small words, and the parts they share.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/json/json_reader.h"

namespace falconer::model {

inline constexpr std::string_view kHex64Pattern = "^[0-9a-f]{64}$";

// {"type": ...} of values without rules of their own.
json::object AnyBool();
json::object AnyObject();
json::object AnyText();
// Code points; the reader counts bytes for names, which are ASCII.
json::object TextSchema(std::size_t min, std::size_t max);
json::object PatternSchema(std::string_view pattern, std::size_t max);
json::object WholeSchema(const Bounds<std::int64_t>& bounds);
json::object NumberSchema(const Bounds<double>& bounds);
json::object ListSchema(json::object items, std::size_t min, std::size_t max);
json::object NamesSchema(std::span<const std::string_view> names);
// {"$ref": "#/$defs/name"}
json::object Ref(std::string_view name);

template <typename E, std::size_t N>
json::object EnumSchema(const EnumName<E> (&table)[N]) {
  std::string_view names[N];
  for (std::size_t i = 0; i < N; ++i) names[i] = table[i].name;
  return NamesSchema(names);
}

// An object with these members; closed unless said otherwise.
enum class Openness : std::uint8_t { kClosed, kOpen };
json::object ObjectSchema(json::object properties, std::initializer_list<std::string_view> required,
                          Openness openness = Openness::kClosed);

// The payloads of kinds are open: what they are beside is closed.
json::object OpenSchema(json::object properties, std::initializer_list<std::string_view> required);
json::object NothingSchema();
json::object PatternTextSchema();

// {"required": [...]}
json::object Requires(std::initializer_list<std::string_view> keys);
// Adds "oneOf": exactly one of these keys is given.
void RequireOneOf(json::object& schema, std::initializer_list<std::string_view> keys);

// An object whose member `key` says which payload it has: the payload under "payload", or its
// fields beside `key`. `common` are the members every kind may have.
struct KindSchema {
  std::string name;
  json::object payload;  // open; closed here
};
json::object TaggedSchema(std::string_view key, const json::object& common,
                          std::span<const KindSchema> kinds);

// The pattern modes, and the fields that name an element in rules and waits.
json::object ModeSchema();
void AddTarget(json::object& schema);

// The definitions: "action_spec", "wait_condition", "rule", ...
void AddActionDefs(json::object& defs);
void AddWaitDefs(json::object& defs);
void AddRuleDefs(json::object& defs);

}  // namespace falconer::model
