#pragma once
// ClientInput: how the person at a client can be asked something while a call is under way, and
// what was answered already. Revisions differ: in older ones the server asks and waits, in the
// newest the question is the answer of the call, and the client sends the call again.

#include <functional>
#include <string>

#include "base/async/call_context.h"
#include "base/json/json.h"

namespace falconer::api {

enum class ClientAsking {
  kCannot,
  kByRequest,  // elicitation/create while the call waits
  kByAnswer,   // a result of the type input_required
};

struct ClientInput {
  ClientAsking asking = ClientAsking::kCannot;
  // kByRequest: puts the question (the params of elicitation/create) and waits for the result. It
  // may be called after the call it came with has been answered.
  std::function<Task<Result<json::object>>(CallContext ctx, json::object question)> ask;
  // kByAnswer: what the client sends along when it calls again.
  json::object responses;
  std::string state;
};

}  // namespace falconer::api
