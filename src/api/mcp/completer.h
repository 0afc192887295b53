#pragma once
// Completer: proposes how an argument of a prompt, or a part of a resource's address, may go on
// while a person types it.

#include <memory>
#include <string>
#include <vector>

#include "api/mcp/mcp_call.h"

namespace falconer::api {

struct CompletionQuestion {
  enum class Of { kPrompt, kResource };
  Of of = Of::kPrompt;
  std::string subject;   // the name of the prompt, or the address or template of the resource
  std::string argument;  // which one
  std::string value;     // what was typed so far
};

struct Completion {
  std::vector<std::string> values;  // best first; of more than 100 the first are sent
};

class Completer {
 public:
  virtual ~Completer() = default;
  // kInvalidArgument when there is no such subject or argument.
  virtual Task<Result<Completion>> Complete(CallContext ctx, CompletionQuestion question) = 0;
};

// The method of a server that has one: complete.
McpMethod CompletionMethod(const std::shared_ptr<Completer>& completer);

}  // namespace falconer::api
