#include "api/tools/input_schema.h"

namespace falconer::api {
namespace {

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
