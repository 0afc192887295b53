#pragma once
// The schema of a tool's arguments, from one row per argument. Short on purpose: every model that
// uses the server reads all of them.

#include <initializer_list>
#include <span>
#include <string_view>

#include "base/json/json.h"

namespace falconer::api {

enum class Need { kOptional, kRequired };

struct Argument {
  std::string_view name;
  json::object schema;
  Need need = Need::kOptional;
};

// {"type": "string"}, with a description when the name does not say it all.
json::object TextSchema(std::string_view description = {});
// A text, or {"secret":"NAME"} in its place.
json::object TypedSchema(std::string_view description = {});
json::object FlagSchema();
json::object WholeSchema();
json::object NumberSchema(std::string_view description = {});
json::object ObjectSchema(std::string_view description = {});
json::object TextsSchema(std::string_view description = {});
json::object ChoiceSchema(std::span<const std::string_view> names);
// Of objects that have these members and no others.
json::object ListSchema(std::initializer_list<Argument> members);

// What is taken where more is taken than is offered: other names for elements, by which models know
// them from other servers, and numbers and flags in the place of a text to type. Whether something
// that is needed is there under any of its names, the tool itself says best.
json::object AcceptedSchema(json::object offered);

// A closed object of these arguments and, always, `session`.
json::object InputSchema(std::initializer_list<Argument> arguments);
// The same without `session`, for tools that are about no session.
json::object PlainSchema(std::initializer_list<Argument> arguments);

}  // namespace falconer::api
