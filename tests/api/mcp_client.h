#pragma once
// McpClient: the program as an MCP server, driven as a client drives it: one JSON message per line.

#include <string>
#include <string_view>
#include <vector>

#include "tests/api/child_program.h"

namespace falconer::test {

// What a tool answered.
struct ToolReply {
  std::string text;    // without the marks around what pages say
  std::string marked;  // with them
  bool is_error = false;
  std::string image;  // base64

  // The first line.
  std::string head() const { return text.substr(0, text.find('\n')); }
  bool Says(std::string_view words) const { return text.contains(words); }
};

class McpClient {
 public:
  // Starts `falconer mcp` with further arguments; `settings` are "key=value", `environment` is
  // "NAME=value".
  explicit McpClient(std::vector<std::string> settings, std::vector<std::string> arguments = {},
                     std::vector<std::string> environment = {});

  // The whole answer to a request.
  json::object Ask(std::string_view method, json::object params);
  // The answer of a tool; what is no answer of a tool is an empty one.
  ToolReply Call(std::string_view tool, json::object arguments);
  // Sends a call and does not wait; returns its id.
  int Begin(std::string_view tool, json::object arguments, json::object meta = {});
  ToolReply Await(int id);
  void Notify(std::string_view method, json::object params);

  // Messages that were no answers, in order.
  const std::vector<json::object>& notifications() const { return notifications_; }
  // The ref of the first line of a text that has these words in it: "d1e3" of `d1e3 button "Save"`.
  static std::string RefOf(const std::string& text, std::string_view words);

  ChildProgram& program() { return program_; }

 private:
  int Send(std::string_view method, json::object params);
  json::object AwaitMessage(int id);
  // Takes the next line that has come, if one has; false when none has.
  bool TakeLine();

  ChildProgram program_;
  int last_id_ = 0;
  std::size_t taken_ = 0;
  std::vector<json::object> answers_;
  std::vector<json::object> notifications_;
};

}  // namespace falconer::test
