#pragma once
// LazyHost: a runtime that is opened when it is first needed, so that a server can answer before.

#include <memory>

#include "agent/nodes/node_tools.h"
#include "api/tools/tool_host.h"
#include "app/approvals/client_approvals.h"
#include "app/host/runtime_host.h"
#include "base/async/task_scope.h"

namespace falconer::app {

class LazyHost final : public api::ToolHost {
 public:
  // Both must outlive the host. `approvals` speaks of those of the runtime while it is open.
  LazyHost(Program& program, ClientApprovals& approvals, HostWishes wishes = {});
  ~LazyHost() override;

  // Opens the runtime and begins to start a browser as soon as what is at hand is done. Whether
  // that works the first caller who needs it is told.
  void OpenSoon();
  Result<api::ToolRooms> Rooms() override;
  Task<api::AnswerBudget> Budget() override;
  agent::NodeTools* Nodes() override { return nodes_.get(); }
  // Learns which tools external nodes have: before tools are offered. kInvalidSetting for a node
  // that is set up wrongly; one that does not answer has none.
  Task<Result<void>> LoadNodes(CallContext ctx);
  // Ends what was opened; nothing can be opened afterwards (kSessionClosed).
  Task<void> Stop(CallContext ctx);

 private:
  agent::NodeHost NodeHostFrom();
  static Task<Result<policy::SecretText>> KeyOf(LazyHost* self, CallContext ctx,
                                                policy::SecretReference reference, std::string url);
  static Task<void> OpenNext(LazyHost* self);

  Program& program_;
  ClientApprovals& approvals_;
  HostWishes wishes_;
  bool is_stopped_ = false;
  std::unique_ptr<RuntimeHost> host_;
  std::unique_ptr<agent::NodeTools> nodes_;
  TaskScope tasks_;
};

}  // namespace falconer::app
