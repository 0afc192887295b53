#pragma once
// ClientInput: how a client can be asked something while a request is under way, and what was
// answered already. Revisions differ: in older ones the server asks and waits, in the newest the
// question is the answer of the request, and the client sends the request again.

#include <functional>
#include <string>

#include "api/mcp/json_rpc.h"
#include "base/async/call_context.h"
#include "base/json/json.h"

namespace falconer::api {

enum class ClientAsking {
  kCannot,
  kByRequest,  // a request to the client while the call waits
  kByAnswer,   // a result of the type input_required
};

struct ClientInput {
  using Ask = std::function<Task<Result<json::object>>(CallContext ctx, json::object question)>;

  // The person at the client, by a form.
  ClientAsking asking = ClientAsking::kCannot;
  // kByRequest: puts the question (the params of elicitation/create) and waits for the result. It
  // may be called after the call it came with has been answered.
  Ask ask;
  // kByAnswer: what the client sends along when it calls again.
  json::object responses;
  std::string state;
  // The model of the client, and the same for the params of sampling/createMessage.
  ClientAsking sampling = ClientAsking::kCannot;
  Ask sample;
  // The folders that the client works in. Only asked by answers: nothing of ours needs them from
  // clients of older revisions.
  ClientAsking roots = ClientAsking::kCannot;
};

// Questions to a client, whose answers come with the same request again.
struct InputQuestions {
  json::object requests;  // by name: {"method", "params"}
  std::string state;      // comes back as it is; "" for none

  json::object ToJson() const;
};

// What clients say that they can be asked for.
struct ClientAbilities {
  bool forms = false;
  bool sampling = false;
  bool roots = false;
  bool tasks = false;
};
ClientAbilities AbilitiesIn(const json::object& capabilities);
// What a request of the newest revision says of its client.
ClientAbilities AbilitiesOf(const RpcMessage& request);

// What a request of the newest revision says of how its client can be asked. Fails when it brings
// answers that are none.
std::expected<ClientInput, RpcFailure> InputByAnswer(const RpcMessage& request);

// The answer to a request that needs something of its client which that has not said it can do:
// `needed` as clients say it, {"sampling": {}}.
RpcFailure MissingCapability(json::object needed);

inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";
// What clients say that know tasks.
json::object NeedsTasks();

}  // namespace falconer::api
