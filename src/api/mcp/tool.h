#pragma once
// Tool: one thing an agent may ask for, as MCP describes it to a model, and what it answers.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mcp/content.h"
#include "api/mcp/mcp_call.h"
#include "model/view/view_budget.h"

namespace falconer::api {

enum class ToolEffect {
  kReads,    // changes nothing
  kActs,     // changes the page
  kDestroys  // may undo or destroy
};

// Whether a call that takes long is carried on as a task, for clients that know tasks.
enum class TaskUse {
  kNever,
  kMay,
  kMust  // and others cannot call it
};

struct ToolInfo {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view group;  // "core" is always there; others by flag
  ToolEffect effect = ToolEffect::kActs;
  json::object input_schema;
  TaskUse tasks = TaskUse::kNever;

  // As tools/list shows it.
  json::object ToJson() const;
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

  json::object ToJson() const;
};

struct Tool {
  ToolInfo info;
  std::function<Task<ToolAnswer>(CallContext ctx, ToolCall call)> run;
};

// In the order in which they are listed; names are unique.
class ToolCatalog {
 public:
  explicit ToolCatalog(std::vector<Tool> tools) : tools_(std::move(tools)) {}

  const Tool* Find(std::string_view name) const;
  json::array ToJson() const;
  // Whether calls of any of them may become tasks.
  bool HasTasks() const;
  std::vector<Tool> Take() && { return std::move(tools_); }

 private:
  std::vector<Tool> tools_;
};

}  // namespace falconer::api
