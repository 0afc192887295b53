#pragma once
// ToolContext: what all tools of one server share: the way to the runtime, and what the caller was
// told so far. Everything that acts on a page is made into a contract here.

#include <cstdint>
#include <optional>
#include <string>

#include "api/tools/answer.h"
#include "api/tools/call_arguments.h"
#include "api/tools/page_memory.h"
#include "api/tools/tool_host.h"
#include "api/tools/view_guard.h"
#include "engine/look.h"

namespace falconer::api {

// One action, as a tool wants it done.
struct ActionWish {
  std::string session;
  json::object spec;  // an action_spec
  std::string intent;
  json::array waits;      // wait_conditions
  json::object timeouts;  // those that differ from a contract's own
  std::optional<int> attempts;
};

class ToolContext {
 public:
  // `host` must outlive this.
  ToolContext(ToolHost& host, std::string version);
  ToolContext(const ToolContext&) = delete;
  ToolContext& operator=(const ToolContext&) = delete;

  // Sends the action as a contract of its own: doing the same again is another action. Fails as
  // Runtime::Execute does, or as opening the rooms does; what the contract came to is a result.
  Task<Result<model::ActionExecutionResult>> Act(CallContext ctx, ActionWish wish);
  // What came of it, and what is new on the page.
  Task<Result<ToolAnswer>> Tell(CallContext ctx, std::string session,
                                model::ActionExecutionResult result, AnswerStyle style);
  // Both.
  Task<Result<ToolAnswer>> ActAndTell(CallContext ctx, ActionWish wish, AnswerStyle style);

  // The document that the session's active tab shows: its tab, its number and its address; "" when
  // there is none. Opens nothing of the session.
  std::string PageOf(const std::string& session);

  Result<ToolRooms> Rooms();
  Task<AnswerBudget> Budget() { return host_.Budget(); }
  // The session's name in contracts. The main session of each server is its own; any other name is
  // the workflow's own, so that programs that agree on a name mean the same one.
  WorkflowId WorkflowOf(const std::string& session) const;
  browser::SessionKey KeyOf(const ToolRooms& rooms, const std::string& session) const;
  // Makes a contract that names no workflow one of the session's.
  void Complete(json::object& contract, const std::string& session) const;

  // The contract of an action; each is another one.
  json::object ContractOf(const ActionWish& wish);

  PageMemory& memory() { return memory_; }
  // What everything that pages say goes through.
  ViewGuard& guard() { return guard_; }
  const std::string& version() const { return version_; }
  const std::string& run() const { return run_; }

 private:
  // What was last seen of the active tab. Valid until something is awaited.
  struct Seen {
    const model::StructuredState* state = nullptr;  // null when nothing was
    bool asks_for_file = false;                     // it has a file chooser open
  };
  Task<Result<Seen>> LastSeen(CallContext ctx, std::string session);

  ToolHost& host_;
  std::string version_;
  // Names this server; part of what makes every call's contract its own.
  std::string run_;
  std::uint64_t calls_ = 0;
  PageMemory memory_;
  ViewGuard guard_;
};

using ToolBody = Task<Result<ToolAnswer>> (*)(CallContext ctx, ToolContext* context, ToolCall call);

// One tool: how it is described, and what it does.
struct ToolRow {
  ToolInfo info;
  ToolBody body = nullptr;
};

// The group that every server has, and those that are asked for.
inline constexpr std::string_view kCoreGroup = "core";
inline constexpr std::string_view kContractGroup = "contract";
inline constexpr std::string_view kAuditGroup = "audit";

// A tool whose failures are answers. `context` must outlive the tool.
Tool MakeTool(ToolContext& context, ToolRow row);

}  // namespace falconer::api
