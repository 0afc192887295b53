#pragma once
// ContractRun: one contract on its way through the engine, step by step.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/async/task_scope.h"
#include "engine/action_engine.h"
#include "engine/control/egress_log.h"
#include "engine/rule_observer.h"

namespace falconer::engine {

class ContractRun {
 public:
  // Both must outlive the run.
  ContractRun(DriveKit& kit, const EngineInput& input);

  // Every step, in order. Returns what ended it, nothing when all went well.
  Task<std::optional<Error>> Go(CallContext ctx);
  // What came of it. Called once.
  model::ActionExecutionResult TakeResult(const std::optional<Error>& failure);

  // Only looks: which of the rules for afterwards hold now. What only the action itself could have
  // shown is unknown.
  Task<model::VerificationReport> Look(CallContext ctx);

 private:
  using Phase = model::AttemptPhase;
  using Waits = std::vector<std::unique_ptr<browser::ArmedWait>>;

  Task<Result<void>> Begin(CallContext ctx);
  // Looks at the page as it is before the action.
  Task<Result<void>> LookBefore(CallContext ctx);
  static Task<void> LookMeanwhile(ContractRun* self, CallContext ctx);
  // That look, if it is still going on, has come to its end.
  Task<Result<void>> HasLooked();
  // What is due before the first thing leaves that can have an effect. Gives the page as seen.
  Task<Result<browser::PageMark>> BeforeInput(CallContext ctx);
  Task<Result<void>> CheckPreconditions(CallContext ctx);
  Task<Result<void>> TryDry(CallContext ctx);
  Task<Result<void>> Attempts(CallContext ctx);
  Task<Result<void>> Attempt(CallContext ctx, int n);
  Task<Result<void>> Rebind(CallContext ctx);
  // Has somebody look for a target that was not found.
  Task<Result<void>> LookForTarget(CallContext ctx, Error unbound);
  bool MayLook(const Error& failure) const;
  Task<Result<void>> Arm(CallContext ctx);
  Task<Result<std::string>> Reveal(CallContext ctx, browser::SecretUse use);
  Task<Result<void>> Act(CallContext ctx, model::ActionSpec spec);
  Task<Result<void>> AwaitWaits(CallContext ctx);
  Task<void> AwaitDerived(CallContext ctx);
  Task<void> SettleNetwork(CallContext ctx);
  Task<Result<void>> CheckEffects(CallContext ctx);
  Task<Result<void>> ReadAfter(CallContext ctx);
  Task<model::VerificationReport> Verify(CallContext ctx,
                                         const std::vector<model::VerificationRule>* rules);
  Task<Result<void>> ReadState(CallContext ctx, std::optional<model::StructuredState>* into,
                               std::optional<browser::PageReading> just_read = std::nullopt);

  bool CanLookMeanwhile() const;
  // Whether the state of the page is read at all.
  bool WantsState() const;
  bool MayTryAgain(const Error& failure, int n) const;
  bool ShouldAct() const;
  void Escalate(const Error& failure, int attempts);
  Result<void> CollectArtifacts();
  Result<void> Collect(const LeftFile& left, model::ResultArtifact as_left);
  void Enter(Phase phase);
  void NoteAttempt(int n, TimePoint start, const Result<void>& done,
                   std::chrono::milliseconds pause);
  std::vector<model::VerificationRule> RulesAfter() const;
  const model::ActionContract& contract() const { return input_.contract; }

  DriveKit& kit_;
  const EngineInput& input_;
  std::shared_ptr<browser::Tab> tab_;
  ActionFacts facts_;
  EgressLog egress_;
  model::EgressMark egress_before_;
  RuleObserver observer_;
  std::unique_ptr<TaskScope> looking_;
  Result<void> looked_;
  std::optional<model::StructuredState> before_;
  std::optional<model::StructuredState> after_;
  // The page as it was read last, and as the change that was waited for left it.
  browser::PageMark seen_;
  std::optional<browser::PageReading> changed_;
  std::vector<model::VerificationRule> rules_;
  Waits armed_;
  Waits derived_;
  std::optional<model::ActionOutcome> outcome_;
  // The act may have reached the page: it must not be done again unless that is harmless.
  bool may_have_acted_ = false;
  // All is done that must be done before anything of the act leaves for the page.
  bool may_leave_ = false;
  bool is_announced_ = false;
  std::uint64_t downloads_before_ = 0;
  // What was shown to who looked for the target.
  std::optional<model::ArtifactEvidence> shown_;
  // By the name of the file; another attempt finds it taken over already.
  std::map<std::string, model::ResultArtifact> kept_;
  Clock* clock_ = nullptr;  // set when it goes
  Phase phase_ = Phase::kBind;
  int attempt_ = 0;  // that is under way; 0 before and after
  TimePoint phase_start_;
  std::map<Phase, Duration> times_;
  model::ActionExecutionResult result_;
};

}  // namespace falconer::engine
