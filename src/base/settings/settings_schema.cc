// The settings table as a JSON Schema of the settings file.
#include "base/settings/setting_bindings.h"
#include "base/settings/settings.h"
#include "base/settings/settings_table.h"
#include "base/text.h"

namespace falconer {
namespace {

// The default as the schema's type wants it.
json::value DefaultOf(const SettingRow& row) {
  if (row.binding.type == "flag") return ParseFlag(row.fallback).value_or(false);
  if (row.binding.type == "number") return ParseWhole(row.fallback).value_or(0);
  return json::value(row.fallback);
}

json::object Definition(const SettingRow& row) {
  json::object schema = row.binding.schema();
  schema["description"] = row.help;
  schema["default"] = DefaultOf(row);
  if (row.secrecy == Secrecy::kSecret) schema["writeOnly"] = true;
  return schema;
}

json::object EmptyGroup() {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", json::object()}};
}

// The properties of the group that the first part of a key names; made when it is the first key.
json::object& PropertiesOf(json::object& properties, std::string_view group) {
  if (!properties.contains(group)) properties[group] = EmptyGroup();
  return properties[group].as_object()["properties"].as_object();
}

}  // namespace

json::object SettingsSchema() {
  json::object definitions;
  json::object properties;
  for (const SettingRow& row : AllSettings()) {
    definitions[row.key] = Definition(row);
    const json::object reference{{"$ref", "#/$defs/" + std::string(row.key)}};
    const std::size_t dot = row.key.find('.');
    properties[row.key] = reference;
    if (dot == std::string_view::npos) continue;
    PropertiesOf(properties, row.key.substr(0, dot))[row.key.substr(dot + 1)] = reference;
  }
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "Falconer settings"},
          {"type", "object"},
          {"additionalProperties", false},
          {"properties", std::move(properties)},
          {"$defs", std::move(definitions)}};
}

}  // namespace falconer
