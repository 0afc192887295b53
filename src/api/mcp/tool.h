#pragma once
// Tool: one thing an agent may ask for, as MCP describes it to a model, and what it answers.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/tools/dispatcher.h"
#include "api/mcp/content.h"
#include "api/mcp/mcp_call.h"
#include "model/view/view_budget.h"

namespace falconer::api {

// Whether a call that takes long is carried on as a task, for clients that know tasks.
enum class TaskUse {
  kNever,
  kMay,
  kMust  // and others cannot call it
};

struct ToolCall {
  json::object arguments;
  ReportProgress report;
  // How the person at the client, and its model, can be asked.
  ClientInput input = {};
  SendLog log = {};
};

// A picture beside the text.
struct ToolImage {
  std::string base64;
  std::string mime;
};

struct ToolAnswer {
  std::string text;
  std::optional<ToolImage> image;
  // The call was understood, but what it asked for did not succeed.
  bool is_error = false;
  // From there on the text is made of what a page says.
  std::optional<std::size_t> page_at = std::nullopt;
  // What the text was made from, where not all of it fitted. Not for the client.
  std::optional<model::TrimmedView> trimmed = std::nullopt;
  // The same as the text, for programs.
  std::optional<json::object> structured = std::nullopt;
  // Instead of everything else: only for a client that is asked by answers.
  std::optional<InputQuestions> questions = std::nullopt;
  // What it made, for clients that know links.
  std::vector<ResourceLink> links = {};
  // Further pieces, in their order.
  json::array more = {};
  // Instead of everything else: the call was not one that could be answered.
  std::optional<RpcFailure> refusal = std::nullopt;
  // What the error is; a tool that does not say has failed in its execution.
  std::optional<agent::ToolFailure> failure = std::nullopt;
  // For the trace: ids of what it made, what was held against it, how the page was read.
  std::vector<std::string> artifacts = {};
  std::vector<std::string> policy_flags = {};
  std::string render_mode = {};

  json::object ToJson() const;
  // Without pictures.
  agent::ToolResult ToResult() const;
};

struct Tool {
  agent::ToolDescriptor info;
  std::function<Task<ToolAnswer>(CallContext ctx, ToolCall call)> run;
  TaskUse tasks = TaskUse::kNever;

  // As tools/list shows it.
  json::object ToJson() const;
};

// What came of a call: the answer for the client, and the same in the form that all callers share.
struct CalledTool {
  ToolAnswer answer;
  agent::ToolResult result;
};

// In the order in which they are listed; names are unique.
class ToolCatalog {
 public:
  // Calls go through the dispatcher; without one, through one that keeps no trace.
  explicit ToolCatalog(std::vector<Tool> tools,
                       std::shared_ptr<agent::Dispatcher> dispatcher = nullptr);

  const Tool* Find(std::string_view name) const;
  // The catalog, of which `tool` is one, must outlive the call.
  Task<CalledTool> Call(CallContext ctx, const Tool* tool, ToolCall call) const;
  json::array ToJson() const;
  // Whether calls of any of them may become tasks.
  bool HasTasks() const;
  std::vector<Tool> Take() && { return std::move(tools_); }

  const std::vector<Tool>& tools() const { return tools_; }
  const std::shared_ptr<agent::Dispatcher>& dispatcher() const { return dispatcher_; }

 private:
  std::vector<Tool> tools_;
  std::shared_ptr<agent::Dispatcher> dispatcher_;
};

}  // namespace falconer::api
