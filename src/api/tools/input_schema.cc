#include "api/tools/input_schema.h"

#include <algorithm>
#include <array>

namespace falconer::api {
namespace {

// What an argument may be called instead, and what may be said of it beside.
struct OtherNames {
  std::string_view name;
  std::array<std::string_view, 4> others;  // "" for none
};

constexpr OtherNames kOtherNames[] = {
    {"target", {"ref", "selector", "element", "name"}},
    {"startTarget", {"startRef", "startElement"}},
    {"endTarget", {"endRef", "endElement"}},
};

void TakeOtherNames(json::object& schema, json::object& properties) {
  for (const OtherNames& row : kOtherNames) {
    if (!properties.contains(row.name)) continue;
    for (const std::string_view other : row.others) {
      if (!other.empty()) properties.emplace(other, json::object{{"type", "string"}});
    }
    json::value* required = schema.if_contains("required");
    if (required == nullptr) continue;
    json::array& names = required->get_array();
    names.erase(std::remove(names.begin(), names.end(), json::value(row.name)), names.end());
  }
}

json::object OfType(std::string_view type, std::string_view description) {
  json::object schema{{"type", type}};
  if (!description.empty()) schema["description"] = description;
  return schema;
}

}  // namespace

json::object TextSchema(std::string_view description) {
  return OfType("string", description);
}

json::object TypedSchema(std::string_view description) {
  json::object schema = TextSchema(description);
  schema["type"] = json::array{"string", "object"};
  return schema;
}

json::object FlagSchema() {
  return OfType("boolean", {});
}

json::object WholeSchema() {
  return OfType("integer", {});
}

json::object NumberSchema(std::string_view description) {
  return OfType("number", description);
}

json::object ObjectSchema(std::string_view description) {
  return OfType("object", description);
}

json::object TextsSchema(std::string_view description) {
  json::object schema = OfType("array", description);
  schema["items"] = TextSchema();
  return schema;
}

json::object ChoiceSchema(std::span<const std::string_view> names) {
  json::array list;
  for (const std::string_view name : names) list.emplace_back(name);
  return {{"enum", std::move(list)}};
}

json::object AcceptedSchema(json::object offered) {
  if (offered == TypedSchema(TextAt(offered, "description"))) offered.erase("type");
  if (json::value* items = offered.if_contains("items"); items != nullptr && items->is_object())
    *items = AcceptedSchema(items->get_object());
  json::value* properties = offered.if_contains("properties");
  if (properties == nullptr) return offered;
  for (auto& member : properties->get_object())
    member.value() = AcceptedSchema(member.value().get_object());
  TakeOtherNames(offered, properties->get_object());
  return offered;
}

json::object PlainSchema(std::initializer_list<Argument> arguments) {
  json::object properties;
  json::array required;
  for (const Argument& argument : arguments) {
    properties[argument.name] = argument.schema;
    if (argument.need == Need::kRequired) required.emplace_back(argument.name);
  }
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

json::object InputSchema(std::initializer_list<Argument> arguments) {
  json::object schema = PlainSchema(arguments);
  schema.at("properties").as_object()["session"] = TextSchema();
  return schema;
}

json::object ListSchema(std::initializer_list<Argument> members) {
  return {{"type", "array"}, {"items", PlainSchema(members)}};
}

}  // namespace falconer::api
