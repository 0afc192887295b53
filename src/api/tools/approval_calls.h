#pragma once
// ApprovalCalls: tool calls that may have to wait for people. While a turn waits, the person at the
// client is asked if the client can show questions and that person may decide; otherwise, and after
// a while, the call is answered with what it waits for, and the same call again goes on with the
// same turn. Nothing is done twice. A caller who has gone to another page meanwhile does not mean
// that turn any more.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mcp/tool.h"
#include "api/tools/pending_approvals.h"
#include "base/async/cancel.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"

namespace falconer::api {

struct ApprovalCallLimits {
  // How long a call waits for people before it says so.
  Duration pending_after = std::chrono::seconds(5);
  // The same while the person at the client is asked: most clients give a call a minute.
  Duration asked_after = std::chrono::seconds(50);
  // How long the answer of a turn that nobody waited for is kept.
  Duration keep = std::chrono::minutes(10);
  // Most turns that go on without a call; beyond it calls wait.
  std::size_t most_left = 64;
};

class ApprovalCalls {
 public:
  // Which page a session shows now, in a form that no other page has; "" when it shows none.
  using PageOf = std::function<std::string(const std::string& session)>;

  // `approvals` and whatever `page_of` uses must outlive this.
  ApprovalCalls(Executor executor, Clock& clock, PendingApprovals& approvals, PageOf page_of,
                ApprovalCallLimits limits = {});
  ~ApprovalCalls();
  ApprovalCalls(const ApprovalCalls&) = delete;
  ApprovalCalls& operator=(const ApprovalCalls&) = delete;

  // The same tools, but for those that only read, with their calls run here. This must outlive
  // them.
  ToolCatalog Wrap(ToolCatalog tools);
  // Cancels what goes on and waits until it has ended.
  Task<void> Stop(Error reason);

  // Turns that go on, or whose answers nobody has fetched.
  std::size_t held() const { return flights_.size(); }

 private:
  using ToolRun = std::function<Task<ToolAnswer>(CallContext ctx, ToolCall call)>;
  struct Flight;
  using FlightPtr = std::shared_ptr<Flight>;
  class Passenger;

  Task<ToolAnswer> Run(CallContext ctx, std::string tool, ToolRun run, ToolCall call);
  // The turn that this call goes on with, or a new one. kInvalidArgument for a state that is not of
  // an open question of this call.
  Result<FlightPtr> FlightFor(const CallContext& ctx, const std::string& digest, const ToolRun& run,
                              const ToolCall& call);
  FlightPtr Begin(const CallContext& ctx, const std::string& digest, const ToolRun& run,
                  ToolCall call);
  static Task<void> Fly(ApprovalCalls* self, CallContext ctx, ToolRun run, ToolCall call,
                        FlightPtr flight);
  // Whether a call that says the same is about something else by now.
  bool IsLeft(const Flight& flight) const;
  Task<ToolAnswer> Accompany(CallContext ctx, FlightPtr flight, ToolCall call);
  // What the call is answered with while people decide, if it is time to answer.
  std::optional<ToolAnswer> Meanwhile(const FlightPtr& flight, const ClientInput& input);
  Task<ToolAnswer> GiveUp(FlightPtr flight, Error why);
  Task<void> TakeResponses(FlightPtr flight, ClientInput input);
  void AskByRequest(const FlightPtr& flight, const ClientInput& input,
                    const std::vector<model::ApprovalRequest>& pending);
  static Task<void> AskOne(ApprovalCalls* self, FlightPtr flight, ClientInput input,
                           model::ApprovalRequest request);
  Task<void> Decide(std::string request_id, json::object result);
  std::optional<ToolAnswer> QuestionsFor(const FlightPtr& flight,
                                         const std::vector<model::ApprovalRequest>& pending) const;
  bool IsPending(const FlightPtr& flight, const std::string& request_id) const;
  bool MayLeaveOneMore() const;
  void OnApprovals();
  void ForgetOld();
  void Changed();

  Executor executor_;
  Clock& clock_;
  PendingApprovals& approvals_;
  PageOf page_of_;
  ApprovalCallLimits limits_;
  // By the key that names them in Correlation::call.
  std::map<std::string, FlightPtr> flights_;
  std::uint64_t revision_ = 0;
  Notifier changes_;
  Subscription heard_;
  TaskScope tasks_;
};

}  // namespace falconer::api
