#include <string>

#include "tests/conformance_mcp/fixture_tools.h"
#include "tests/conformance_mcp/input_questions.h"

namespace falconer::test {
namespace {

using api::ClientAsking;
using api::ToolAnswer;
using api::ToolCall;

ToolAnswer Asking(json::object requests, std::string state = "") {
  ToolAnswer answer;
  answer.questions =
      api::InputQuestions{.requests = std::move(requests), .state = std::move(state)};
  return answer;
}

ToolAnswer Refused(std::string why) {
  ToolAnswer answer;
  answer.refusal = api::MakeRpcFailure(api::kRpcInvalidParams, std::move(why));
  return answer;
}

ToolAnswer NeedsForms() {
  ToolAnswer answer;
  answer.refusal = api::MissingCapability({{"elicitation", json::object()}});
  return answer;
}

// What the state says; empty before the first round, nothing when it was changed.
std::optional<json::object> StateOf(const ToolCall& call) {
  if (call.input.state.empty()) return json::object();
  return Unsealed(call.input.state);
}

Task<ToolAnswer> AskName(CallContext, ToolCall call) {
  if (call.input.asking == ClientAsking::kCannot) co_return NeedsForms();
  const json::value name = FilledIn(call.input.responses, "user_name", "name");
  if (!name.is_string())
    co_return Asking({{"user_name", FormRequest("What is your name?", "name", "string")}});
  co_return ToolAnswer{.text = "Hello, " + std::string(name.as_string()) + "!"};
}

Task<ToolAnswer> AskModel(CallContext, ToolCall call) {
  if (call.input.responses.contains("capital_question"))
    co_return ToolAnswer{.text = json::serialize(call.input.responses.at("capital_question"))};
  co_return Asking({{"capital_question", SamplingRequest("What is the capital of France?")}});
}

Task<ToolAnswer> AskRoots(CallContext, ToolCall call) {
  if (call.input.responses.contains("client_roots"))
    co_return ToolAnswer{.text = json::serialize(call.input.responses.at("client_roots"))};
  co_return Asking({{"client_roots", RootsRequest()}});
}

// Also for the scenario that changes the state: it must not get through.
Task<ToolAnswer> Confirm(CallContext, ToolCall call) {
  const auto state = StateOf(call);
  if (!state) co_return Refused("requestState: is not one of this server's");
  const bool is_confirmed = FilledIn(call.input.responses, "confirm", "ok") == true;
  if (!state->empty() && is_confirmed) co_return ToolAnswer{.text = "state-ok"};
  co_return Asking({{"confirm", FormRequest("Please confirm", "ok", "boolean")}},
                   Sealed({{"asked", "confirm"}}));
}

Task<ToolAnswer> AskAll(CallContext, ToolCall call) {
  const auto state = StateOf(call);
  if (!state) co_return Refused("requestState: is not one of this server's");
  const json::object& said = call.input.responses;
  if (!state->empty() && said.contains("user_name") && said.contains("greeting") &&
      said.contains("client_roots"))
    co_return ToolAnswer{.text = json::serialize(said)};
  co_return Asking({{"user_name", FormRequest("What is your name?", "name", "string")},
                    {"greeting", SamplingRequest("Generate a greeting")},
                    {"client_roots", RootsRequest()}},
                   Sealed({{"asked", "all"}}));
}

Task<ToolAnswer> AskTwice(CallContext, ToolCall call) {
  const auto state = StateOf(call);
  if (!state) co_return Refused("requestState: is not one of this server's");
  const json::value name = FilledIn(call.input.responses, "step1", "name");
  const json::value color = FilledIn(call.input.responses, "step2", "color");
  if (state->contains("name") && color.is_string()) {
    co_return ToolAnswer{.text =
                             TextAt(*state, "name") + " likes " + std::string(color.as_string())};
  }
  if (!state->empty() && name.is_string()) {
    co_return Asking({{"step2", FormRequest("What is your favorite color?", "color", "string")}},
                     Sealed({{"round", 2}, {"name", name}}));
  }
  co_return Asking({{"step1", FormRequest("What is your name?", "name", "string")}},
                   Sealed({{"round", 1}}));
}

// Only what the client says it can answer.
Task<ToolAnswer> AskWhatIsPossible(CallContext, ToolCall call) {
  if (!call.input.responses.empty()) co_return ToolAnswer{.text = "answered"};
  json::object requests;
  if (call.input.asking == ClientAsking::kByAnswer)
    requests["elicit_input"] = FormRequest("Elicitation input", "value", "string");
  if (call.input.sampling == ClientAsking::kByAnswer)
    requests["sample_input"] = SamplingRequest("Sample request");
  if (requests.empty()) co_return ToolAnswer{.text = "nothing can be asked"};
  co_return Asking(std::move(requests), Sealed({{"asked", "what is possible"}}));
}

}  // namespace

std::vector<api::Tool> RepeatedTools() {
  return {FixtureTool("test_input_required_result_elicitation", AskName),
          FixtureTool("test_streaming_elicitation", AskName),
          FixtureTool("test_input_required_result_sampling", AskModel),
          FixtureTool("test_input_required_result_list_roots", AskRoots),
          FixtureTool("test_input_required_result_request_state", Confirm),
          FixtureTool("test_input_required_result_tampered_state", Confirm),
          FixtureTool("test_input_required_result_multiple_inputs", AskAll),
          FixtureTool("test_input_required_result_multi_round", AskTwice),
          FixtureTool("test_input_required_result_capabilities", AskWhatIsPossible)};
}

}  // namespace falconer::test
