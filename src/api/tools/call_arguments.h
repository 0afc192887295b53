#pragma once
// Reading what a model sends to a tool.

#include <optional>
#include <string>
#include <string_view>

#include "api/mcp/tool.h"
#include "base/json/json_reader.h"

namespace falconer::api {

// The session of who names none.
inline constexpr std::string_view kMainSession = "main";
// How a target is described to a model.
inline constexpr std::string_view kTargetHelp = "ref such as d3e4, or selector";

// An element, as an action's fields name it ("target_eid" or "selector").
struct TargetArgument {
  json::object fields;  // empty when none was given
  std::string ref;      // "" when it was named by a selector
  // What the model says it is, in its own words; goes on record as the intent.
  std::string description;

  bool empty() const { return fields.empty(); }
};

// "d3e4": the name of an element in a state.
bool IsRef(std::string_view text);

// `target` takes a ref or a selector; `ref` and `selector` say which it is, and `element` describes
// it. At most one of the first three.
TargetArgument ReadTargetArgument(JsonReader& in);
// The same, and it must be given.
TargetArgument ReadNeededTarget(JsonReader& in);
// One argument that takes a ref or a selector, with another name it may have.
struct TargetNames {
  std::string_view name;
  std::string_view older;
};
TargetArgument ReadNamedTarget(JsonReader& in, TargetNames names);
// As a target object: {"eid"} or {"selector"}.
json::object TargetObject(const TargetArgument& target);

// `session`: a name of the caller's choice, or the main one.
std::string ReadSession(JsonReader& in);

// All arguments of a call. Fails with kInvalidArgument naming the one that is missing, wrong or
// unknown.
template <typename Read>
auto ReadArguments(const ToolCall& call, Read read)
    -> Result<std::invoke_result_t<Read&, JsonReader&>> {
  JsonReader reader(call.arguments);
  auto result = read(reader);
  TRY(reader.Done());
  return result;
}

}  // namespace falconer::api
