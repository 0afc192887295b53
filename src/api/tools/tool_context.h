#pragma once
// ToolContext: what all tools of one server share: the way to the runtime, and what the caller was
// told so far. Everything that acts on a page is made into a contract here.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "api/tools/answer.h"
#include "api/tools/call_arguments.h"
#include "api/tools/ledger_trace.h"
#include "api/tools/page_memory.h"
#include "api/tools/tool_host.h"
#include "api/tools/view_guard.h"
#include "engine/look.h"
#include "model/action/capability.h"

namespace falconer::api {

// Whose calls they are, for the trace.
struct ToolCaller {
  std::string run = {};  // made up when it is empty
  agent::CallMode mode = agent::CallMode::kExternal;
  // How often the run was taken up again: what it does then is none of what it did before.
  std::int64_t times_resumed = 0;
};

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
  ToolContext(ToolHost& host, std::string version, ToolCaller caller = {});
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
  // Makes a contract that names no workflow one of the session's. The loop's are the session's,
  // whatever they name: a model does not say where it acts.
  void Complete(json::object& contract, const std::string& session) const;

  // The contract of an action; each is another one.
  json::object ContractOf(const ActionWish& wish);

  // A call's time, which stands still while people decide about something in its session.
  CallContext TimeFor(const CallContext& ctx, const ToolCall& call, Duration timeout);

  ToolHost& host() { return host_; }
  PageMemory& memory() { return memory_; }
  // What everything that pages say goes through.
  ViewGuard& guard() { return guard_; }
  const std::string& version() const { return version_; }
  const std::string& run() const { return run_; }
  // What all calls of its tools go through.
  const std::shared_ptr<agent::Dispatcher>& dispatcher() const { return dispatcher_; }

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
  const agent::CallMode mode_;
  // What the keys of contracts begin with, and how many there were.
  const std::string series_;
  std::uint64_t calls_ = 0;
  PageMemory memory_;
  ViewGuard guard_;
  LedgerTrace trace_;
  std::shared_ptr<agent::Dispatcher> dispatcher_;
};

using ToolBody = Task<Result<ToolAnswer>> (*)(CallContext ctx, ToolContext* context, ToolCall call);

// On which terms a tool is called.
struct ToolTerms {
  // Nothing when that depends on what the call does.
  std::optional<model::Capability> capability = std::nullopt;
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  int retries = 0;
  agent::Timekeeper timekeeper = agent::Timekeeper::kDispatcher;
};

// A contract has 30 seconds of its own, and what came of it is to be told.
inline constexpr auto kActionTime = std::chrono::seconds(40);
inline constexpr auto kReadTime = std::chrono::seconds(30);

// Of what is done by contracts, which are tried again by their own terms.
constexpr ToolTerms Acting(std::optional<model::Capability> capability,
                           std::chrono::milliseconds timeout = kActionTime) {
  return {capability, timeout, 0, agent::Timekeeper::kTool};
}
// Of what looks at something.
constexpr ToolTerms Looking(std::optional<model::Capability> capability,
                            std::chrono::milliseconds timeout = kReadTime) {
  return {capability, timeout, 1, agent::Timekeeper::kDispatcher};
}

// One tool: how it is described, what it does, and on which terms.
struct ToolRow {
  agent::ToolDescriptor info;
  ToolBody body = nullptr;
  ToolTerms terms = {};
  TaskUse tasks = TaskUse::kNever;
};

// The group that every server has, and those that are asked for.
inline constexpr char kCoreGroup[] = "core";
inline constexpr char kCrawlGroup[] = "crawl";
inline constexpr char kContractGroup[] = "contract";
inline constexpr char kAuditGroup[] = "audit";
inline constexpr char kPredictGroup[] = "predict";

// A tool whose failures are answers. `context` must outlive the tool. A row that CheckDescriptor
// refuses is a bug.
Tool MakeTool(ToolContext& context, ToolRow row);

}  // namespace falconer::api
