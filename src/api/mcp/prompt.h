#pragma once
// Prompt: a text that a person at a client picks to begin with, made of what he fills in.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mcp/mcp_call.h"

namespace falconer::api {

enum class ArgumentNeed { kOptional, kRequired };

struct PromptArgument {
  std::string name;
  std::string description;
  ArgumentNeed need = ArgumentNeed::kRequired;
};

struct PromptInfo {
  std::string name;
  std::string title;
  std::string description;
  std::vector<PromptArgument> arguments = {};

  json::object ToJson() const;
};

enum class PromptRole { kUser, kAssistant };
json::object PromptMessage(PromptRole role, json::object content);

struct PromptCall {
  std::map<std::string, std::string> arguments;  // those that are required are there
  ClientInput input;
};

struct PromptAnswer {
  json::array messages;
  // Instead of messages: only for a client that is asked by answers.
  std::optional<InputQuestions> questions = std::nullopt;
};

struct Prompt {
  PromptInfo info;
  std::function<Task<Result<PromptAnswer>>(CallContext ctx, PromptCall call)> run;
};

// The methods of a server that has these prompts, in the order in which they are listed: list, get.
std::vector<McpMethod> PromptMethods(std::vector<Prompt> prompts);

}  // namespace falconer::api
