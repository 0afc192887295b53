#pragma once
// TurnFlow: one contract on its way through the runtime, from the caller's JSON to the answer. The
// steps are in the order of the spine; read Go() first.

#include <memory>
#include <optional>

#include "base/async/one_shot.h"
#include "engine/action_engine.h"
#include "engine/turn_fence.h"
#include "engine/turn_records.h"
#include "engine/turn_report.h"

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
  const browser::SessionKey& key() const { return sent_.key; }

 private:
  using Answer = Task<Result<kernel::AnswerBytes>>;

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
  // The person who drives the session instead of the caller; "" for nobody.
  std::string TakenBy() const;
  Task<kernel::Verdict> AskGates(CallContext ctx, kernel::GateReach reach, std::string page_url);
  // Where the action would happen now.
  std::string PageUrl() const;
  Result<void> OpenTurn(kernel::TurnSlot& slot);
  Result<kernel::PlanInputs> PlanFrom(const kernel::TurnSlot& slot) const;
  static Task<void> WriteOpened(TurnFlow* self, TurnId turn);
  Task<Result<void>> Announced();
  ControlGrounds Grounds(const Correlation& ids) const;
  Task<model::ActionExecutionResult> Fenced(CallContext ctx, TurnId turn);
  Task<model::ActionExecutionResult> Work(CallContext ctx, TurnFence* fence);
  Result<model::ResultArtifact> Keep(const LeftFile& left);
  // Where the element goes that the turn meets; empty when nobody wants it.
  std::function<void(model::Fingerprint)> ElementWanted();
  void TellWatch(const model::ActionExecutionResult& result);
  static model::ActionExecutionResult Failed(const Error& error);

  Runtime& runtime_;
  SentContract sent_;
  TurnRecords records_;
  TurnReport report_;
  model::DerivedGuards guards_;
  // For who watches: what the action was done to, and where the tab was after it.
  std::optional<model::Fingerprint> element_;
  std::string page_after_;
  // Cancelled when somebody else begins to drive after the gates were asked.
  CancelToken driving_;
  std::optional<kernel::ActionRegistry::Claim> claim_;
  std::optional<Result<ledger::Receipt>> opened_;
  Notifier opened_change_;
  TaskScope tasks_;
};

}  // namespace falconer::engine
