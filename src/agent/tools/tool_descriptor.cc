#include "agent/tools/tool_descriptor.h"

#include <utility>

namespace falconer::agent {

json::object ToolDescriptor::ToJson() const {
  json::object retry_profile{{"retries", retry.retries}, {"pause_ms", retry.pause.count()}};
  json::object object{{"name", name},
                      {"title", title},
                      {"description", description},
                      {"group", group},
                      {"side_effect_class", NameIn(kSideEffects, effect)},
                      {"timeout_ms", timeout.count()},
                      {"retry_profile", std::move(retry_profile)},
                      {"capability", capability},
                      {"args_schema", input_schema}};
  if (!result_schema.empty()) object["result_schema"] = result_schema;
  return object;
}

Result<void> CheckDescriptor(const ToolDescriptor& tool) {
  const auto refuse = [&tool](std::string why) {
    return Fail(ErrorCode::kValidationError, "tool \"" + tool.name + "\": " + std::move(why));
  };
  if (tool.name.empty()) return refuse("has no name");
  if (tool.timeout <= std::chrono::milliseconds::zero()) return refuse("has no time");
  if (tool.retry.retries < 0) return refuse("has less than no retries");
  if (tool.retry.retries > 0 && tool.effect != SideEffect::kRead)
    return refuse("only what reads may be tried again");
  for (const json::object* schema :
       {&tool.input_schema, &tool.accepted_schema, &tool.result_schema}) {
    const auto known = CheckSchema(*schema, tool.strictness);
    if (!known) return refuse(known.error().message());
  }
  return {};
}

}  // namespace falconer::agent
