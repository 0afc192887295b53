#include "tests/api/mcp_client.h"

#include <algorithm>

namespace falconer::test {
namespace {

std::vector<std::string> CommandLine(const std::vector<std::string>& settings,
                                     const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"mcp"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  for (const std::string& setting : settings) {
    words.emplace_back("--set");
    words.push_back(setting);
  }
  return words;
}

// "<untrusted 1a2b3c4d from=page>\n...\n</untrusted 1a2b3c4d>" is the "...".
std::string WithoutMarks(std::string text) {
  constexpr std::string_view kBegin = "<untrusted ";
  const std::size_t begin = text.find(kBegin);
  if (begin == std::string::npos) return text;
  const std::string word = text.substr(begin + kBegin.size(), 8);
  const std::size_t end = text.rfind("\n</untrusted " + word + ">");
  if (end == std::string::npos) return text;
  text.erase(end, std::string_view("\n</untrusted >").size() + word.size());
  text.erase(begin, text.find('\n', begin) + 1 - begin);
  return text;
}

ToolReply ReplyOf(const json::object& message) {
  ToolReply reply;
  const json::value* result = message.if_contains("result");
  if (result == nullptr) return reply;
  reply.is_error = IsTrueAt(result->as_object(), "isError");
  for (const json::value& part : result->at("content").as_array()) {
    if (part.at("type") == "text") reply.marked += TextAt(part.as_object(), "text");
    if (part.at("type") == "image") reply.image = TextAt(part.as_object(), "data");
  }
  reply.text = WithoutMarks(reply.marked);
  return reply;
}

}  // namespace

McpClient::McpClient(std::vector<std::string> settings, std::vector<std::string> arguments,
                     std::vector<std::string> environment)
    : program_(CommandLine(settings, arguments), std::move(environment)) {
}

int McpClient::Send(std::string_view method, json::object params) {
  const int id = ++last_id_;
  const json::object message{
      {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
  program_.Send(json::serialize(message) + "\n");
  return id;
}

void McpClient::Notify(std::string_view method, json::object params) {
  const json::object message{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
  program_.Send(json::serialize(message) + "\n");
}

bool McpClient::TakeLine() {
  const std::string& out = program_.output();
  const std::size_t end = out.find('\n', taken_);
  if (end == std::string::npos) return false;
  auto message = ParseJsonObject(std::string_view(out).substr(taken_, end - taken_));
  taken_ = end + 1;
  if (!message) return true;
  (message->contains("id") ? answers_ : notifications_).push_back(*std::move(message));
  return true;
}

json::object McpClient::AwaitMessage(int id) {
  for (;;) {
    while (TakeLine()) {
    }
    const auto found = std::ranges::find_if(
        answers_, [id](const json::object& answer) { return answer.at("id") == id; });
    if (found != answers_.end()) return *found;
    if (!program_.WaitForMoreOutput()) return {};
  }
}

json::object McpClient::Ask(std::string_view method, json::object params) {
  return AwaitMessage(Send(method, std::move(params)));
}

int McpClient::Begin(std::string_view tool, json::object arguments, json::object meta) {
  json::object params{{"name", tool}, {"arguments", std::move(arguments)}};
  if (!meta.empty()) params["_meta"] = std::move(meta);
  return Send("tools/call", std::move(params));
}

ToolReply McpClient::Await(int id) {
  return ReplyOf(AwaitMessage(id));
}

ToolReply McpClient::Call(std::string_view tool, json::object arguments) {
  return Await(Begin(tool, std::move(arguments)));
}

std::string McpClient::RefOf(const std::string& text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return "";
  const std::size_t line = text.rfind('\n', at);
  const std::size_t begin = text.find('d', line == std::string::npos ? 0 : line + 1);
  return text.substr(begin, text.find(' ', begin) - begin);
}

}  // namespace falconer::test
