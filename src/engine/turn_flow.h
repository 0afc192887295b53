#pragma once
// TurnFlow: one contract on its way through the runtime, from the caller's JSON to the answer. The
// steps are in the order of the spine; read Go() first.

#include <memory>
#include <optional>

#include "base/async/one_shot.h"
#include "engine/action_engine.h"
#include "engine/plan_record.h"
#include "engine/runtime.h"
#include "engine/turn_fence.h"

namespace falconer::engine {

class TurnWarden;

class TurnFlow {
 public:
  // `runtime` must outlive the flow.
  TurnFlow(Runtime& runtime, Caller caller, json::value wire);
  ~TurnFlow();
  TurnFlow(const TurnFlow&) = delete;
  TurnFlow& operator=(const TurnFlow&) = delete;

  Task<Result<kernel::AnswerBytes>> Go(CallContext ctx);
  // Whose workflow it is about.
  const browser::SessionKey& key() const { return key_; }

 private:
  using Answer = Task<Result<kernel::AnswerBytes>>;

  Result<void> Read();
  Answer Known(CallContext ctx);
  Answer Join(CallContext ctx, kernel::AnswerBytes answer);
  Answer AnswerFrom(CallContext ctx, kernel::KnownAction known);
  Answer FindOut(CallContext ctx, kernel::KnownAction known);
  Answer AnswerUnsealed(model::ActionExecutionResult result);
  Answer NotBegun(Error why);
  Answer Decide(CallContext ctx);
  Answer Refuse(kernel::Verdict verdict);
  Answer RunTurn(CallContext ctx, kernel::TurnSlot slot);
  Answer Seal(kernel::TurnSlot* slot, model::ActionExecutionResult result);

  Task<Result<kernel::TurnSlot>> AwaitPlace(CallContext ctx);
  void EndTurn(kernel::TurnMachine& turn, kernel::TurnCause cause, std::string detail);
  Task<kernel::Verdict> AskAboutCaller(CallContext ctx, std::string page_url);
  Task<kernel::Verdict> AskForTurn(CallContext ctx);
  Task<kernel::Verdict> AskGates(CallContext ctx, kernel::GateReach reach, std::string page_url);
  // Where the action would happen now.
  std::string PageUrl() const;
  Result<void> OpenTurn(kernel::TurnSlot& slot);
  Result<kernel::PlanInputs> PlanFrom(const kernel::TurnSlot& slot) const;
  Task<Result<void>> KeepSnapshots();
  static Task<void> WriteOpened(TurnFlow* self, TurnId turn);
  Task<Result<void>> Announced();
  ControlGrounds Grounds(const Correlation& ids) const;
  Task<model::ActionExecutionResult> Fenced(CallContext ctx, TurnId turn);
  Task<model::ActionExecutionResult> Work(CallContext ctx, TurnFence* fence);
  Result<model::ResultArtifact> Keep(const LeftFile& left);
  Task<Result<ledger::Receipt>> Write(ledger::RecordKind kind, json::object payload);
  json::object About(const TurnId& turn) const;
  json::object Asked(const TurnId& turn) const;
  static model::ActionExecutionResult Failed(const Error& error);
  static Result<kernel::AnswerBytes> BytesOf(const json::object& result);
  model::LedgerPlace PlaceOf(std::uint64_t seq, const Sha256Digest& hash) const;
  kernel::ActionName Name() const;

  Runtime& runtime_;
  Caller caller_;
  json::value wire_;
  Result<model::ActionContract> contract_;
  model::ContractIdentity identity_;
  Sha256Digest digest_{};
  model::DerivedGuards guards_;
  browser::SessionKey key_;
  // Where the turn happens, as its gates were told.
  std::string page_url_;
  // Null until it is there.
  std::shared_ptr<WorkflowSession> session_;
  std::optional<kernel::ActionRegistry::Claim> claim_;
  kernel::Admission admission_;
  DecisionLog decisions_;
  PlanRecord plan_;
  std::optional<std::uint64_t> opened_seq_;
  std::optional<Result<ledger::Receipt>> opened_;
  Notifier opened_change_;
  TaskScope tasks_;
};

}  // namespace falconer::engine
