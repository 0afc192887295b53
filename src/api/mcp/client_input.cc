#include "api/mcp/client_input.h"

#include <utility>

#include "api/mcp/revisions.h"

namespace falconer::api {
namespace {

json::object ObjectIn(const json::object& in, std::string_view key) {
  const json::value* found = in.if_contains(key);
  return found != nullptr && found->is_object() ? found->get_object() : json::object();
}

bool HasObject(const json::object& in, std::string_view key) {
  const json::value* found = in.if_contains(key);
  return found != nullptr && found->is_object();
}

// Without a mode it means forms.
bool ShowsForms(const json::object& capabilities) {
  if (!HasObject(capabilities, "elicitation")) return false;
  const json::object asks = ObjectIn(capabilities, "elicitation");
  return asks.empty() || asks.contains("form");
}

ClientAsking ByAnswerIf(bool can) {
  return can ? ClientAsking::kByAnswer : ClientAsking::kCannot;
}

}  // namespace

json::object InputQuestions::ToJson() const {
  json::object answer{{"resultType", "input_required"}};
  if (!requests.empty()) answer["inputRequests"] = requests;
  if (!state.empty()) answer["requestState"] = std::string_view(state);
  return answer;
}

ClientAbilities AbilitiesIn(const json::object& capabilities) {
  return {.forms = ShowsForms(capabilities),
          .sampling = HasObject(capabilities, "sampling"),
          .roots = HasObject(capabilities, "roots"),
          .tasks = HasObject(ObjectIn(capabilities, "extensions"), kTasksExtension)};
}

ClientAbilities AbilitiesOf(const RpcMessage& request) {
  return AbilitiesIn(ObjectIn(request.meta(), kMetaCapabilities));
}

json::object NeedsTasks() {
  return {{"extensions", {{kTasksExtension, json::object()}}}};
}

std::expected<ClientInput, RpcFailure> InputByAnswer(const RpcMessage& request) {
  const ClientAbilities can = AbilitiesOf(request);
  ClientInput input{.asking = ByAnswerIf(can.forms),
                    .ask = nullptr,
                    .responses = {},
                    .state = TextAt(request.params, "requestState"),
                    .sampling = ByAnswerIf(can.sampling),
                    .sample = nullptr,
                    .roots = ByAnswerIf(can.roots)};
  const json::value* responses = request.params.if_contains("inputResponses");
  if (responses == nullptr) return input;
  if (!responses->is_object()) {
    return std::unexpected(MakeRpcFailure(kRpcInvalidParams, "inputResponses: expected object"));
  }
  for (const auto& [name, response] : responses->get_object()) {
    if (response.is_object()) continue;
    return std::unexpected(MakeRpcFailure(
        kRpcInvalidParams, "inputResponses." + std::string(name) + ": expected object"));
  }
  input.responses = responses->get_object();
  return input;
}

RpcFailure MissingCapability(json::object needed) {
  return MakeRpcFailure(kRpcMissingCapability, "the client has not said that it can do this",
                        {{"requiredCapabilities", std::move(needed)}});
}

}  // namespace falconer::api
