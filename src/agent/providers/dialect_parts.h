#pragma once
// What dialects write alike.

#include <string>
#include <string_view>

#include "agent/providers/chat_request.h"
#include "agent/providers/wire_reader.h"
#include "base/json/json.h"

namespace falconer::agent {

// "data:image/png;base64,...".
std::string DataUrl(const ChatImage& image);
// {"type":"function","function":{"name","description","parameters"}}, of every tool.
json::array FunctionTools(const std::vector<ToolOffer>& tools);
// The pictures of all replies, for dialects whose replies hold text only: they are shown in a
// message of the user behind them. Nothing when there are none.
std::optional<UserMessage> ShownImages(const ToolReplies& message);
// The "arguments" of a call as text: some send the object itself. "" when there are none,
// kProviderAnswerInvalid for anything else.
Result<std::string> ArgumentsOf(const json::object& call);
// The JSON object that an event holds. kProviderAnswerInvalid.
Result<json::object> EventBody(const WireEvent& event);

}  // namespace falconer::agent
