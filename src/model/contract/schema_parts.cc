#include "model/contract/schema_parts.h"

#include <utility>

#include "model/action/target.h"
#include "model/pattern.h"

namespace falconer::model {
namespace {

constexpr std::string_view kElementIdPattern = "^[A-Za-z0-9_.:-]{1,64}$";

json::array Names(std::initializer_list<std::string_view> keys) {
  json::array out;
  for (const std::string_view key : keys) out.emplace_back(key);
  return out;
}

// Either form of one kind, both closed.
json::object KindForms(const KindSchema& kind, std::string_view key, const json::object& common) {
  json::object nested = common;
  nested[key] = true;
  nested["payload"] = {{"allOf", json::array{kind.payload}}, {"unevaluatedProperties", false}};
  json::object beside = common;
  beside[key] = true;
  return {{"if", Requires({"payload"})},
          {"then", {{"properties", std::move(nested)}, {"additionalProperties", false}}},
          {"else",
           {{"allOf", json::array{kind.payload}},
            {"properties", std::move(beside)},
            {"unevaluatedProperties", false}}}};
}

}  // namespace

json::object AnyBool() {
  return {{"type", "boolean"}};
}

json::object AnyObject() {
  return {{"type", "object"}};
}

json::object AnyText() {
  return {{"type", "string"}};
}

json::object TextSchema(std::size_t min, std::size_t max) {
  json::object out{{"type", "string"}, {"maxLength", max}};
  if (min > 0) out["minLength"] = min;
  return out;
}

json::object PatternSchema(std::string_view pattern, std::size_t max) {
  return {{"type", "string"}, {"pattern", pattern}, {"maxLength", max}};
}

json::object WholeSchema(const Bounds<std::int64_t>& bounds) {
  return {{"type", "integer"}, {"minimum", bounds.min}, {"maximum", bounds.max}};
}

json::object NumberSchema(const Bounds<double>& bounds) {
  return {{"type", "number"}, {"minimum", bounds.min}, {"maximum", bounds.max}};
}

json::object ListSchema(json::object items, std::size_t min, std::size_t max) {
  json::object out{{"type", "array"}, {"items", std::move(items)}, {"maxItems", max}};
  if (min > 0) out["minItems"] = min;
  return out;
}

json::object NamesSchema(std::span<const std::string_view> names) {
  json::array list;
  for (const std::string_view name : names) list.emplace_back(name);
  return {{"enum", std::move(list)}};
}

json::object Ref(std::string_view name) {
  return {{"$ref", "#/$defs/" + std::string(name)}};
}

json::object ObjectSchema(json::object properties, std::initializer_list<std::string_view> required,
                          Openness openness) {
  json::object out{{"type", "object"}, {"properties", std::move(properties)}};
  if (required.size() > 0) out["required"] = Names(required);
  if (openness == Openness::kClosed) out["additionalProperties"] = false;
  return out;
}

json::object OpenSchema(json::object properties, std::initializer_list<std::string_view> required) {
  return ObjectSchema(std::move(properties), required, Openness::kOpen);
}

json::object NothingSchema() {
  return OpenSchema({}, {});
}

json::object PatternTextSchema() {
  return TextSchema(1, kMaxPatternLength);
}

json::object Requires(std::initializer_list<std::string_view> keys) {
  return {{"required", Names(keys)}};
}

void RequireOneOf(json::object& schema, std::initializer_list<std::string_view> keys) {
  json::array& ways = schema["oneOf"].emplace_array();
  for (const std::string_view key : keys) ways.emplace_back(Requires({key}));
}

json::object TaggedSchema(std::string_view key, const json::object& common,
                          std::span<const KindSchema> kinds) {
  json::array names;
  json::array rules;
  for (const KindSchema& kind : kinds) {
    names.emplace_back(kind.name);
    json::object is_kind = Requires({key});
    is_kind["properties"] = {{key, {{"const", kind.name}}}};
    rules.push_back({{"if", std::move(is_kind)}, {"then", KindForms(kind, key, common)}});
  }
  json::object out = ObjectSchema({{key, {{"enum", std::move(names)}}}}, {key}, Openness::kOpen);
  out["allOf"] = std::move(rules);
  return out;
}

json::object ModeSchema() {
  return EnumSchema(kPatternModes);
}

void AddTarget(json::object& schema) {
  json::object& properties = schema["properties"].as_object();
  properties["eid"] = PatternSchema(kElementIdPattern, 64);
  properties["fid"] = PatternSchema(kElementIdPattern, 64);
  properties["selector"] = TextSchema(1, kMaxSelectorLength);
  properties["candidates"] = ListSchema(TextSchema(1, kMaxSelectorLength), 0, kMaxCandidates);
  properties["strict"] = AnyBool();
  json::object with_candidates = Requires({"candidates"});
  with_candidates["properties"] = {{"candidates", {{"minItems", 1}}}};
  schema["anyOf"] =
      json::array{Requires({"eid"}), Requires({"selector"}), std::move(with_candidates)};
  schema["not"] = Requires({"eid", "selector"});
}

}  // namespace falconer::model
