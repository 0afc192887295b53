#pragma once
// Runtime: the one entry for everything that acts on a page. A contract is looked up (has it been
// sent before?), admitted by the gates, frozen into a plan, carried out in a turn, and sealed into
// the ledger before its caller is answered.

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/async/task_scope.h"
#include "browser/context/artifact_manager.h"
#include "browser/session_manager.h"
#include "engine/drive_kit.h"
#include "engine/replay/snapshot_book.h"
#include "engine/secret_desk.h"
#include "engine/span_sink.h"
#include "engine/turn_meter.h"
#include "engine/turn_stage.h"
#include "engine/vision/vision_gate.h"
#include "engine/workflow_session.h"
#include "kernel/actions/action_registry.h"
#include "kernel/actions/tenant_index.h"
#include "kernel/fences/epoch_guard.h"
#include "kernel/flow/breaker_book.h"
#include "kernel/flow/telemetry_sink.h"
#include "kernel/gates/gate_list.h"
#include "kernel/leases/lease_keeper.h"
#include "ledger/ledger.h"
#include "model/view/view_budget.h"

namespace falconer::engine {

class TurnWatch;

// On whose behalf: from the server's configuration and the verified token, never from the contract.
struct Caller {
  TenantId tenant;
  std::string agent;
  // The token that says so.
  std::string token;
  // The person who acts, for one who has taken over; "" for agents.
  std::string person = {};
};

// Who takes over, or hands back, and why.
struct DriverChange {
  std::string person;
  std::string reason;
};

// What of a turn's outcome a model was shown.
struct ViewOfTurn {
  WorkflowId workflow;
  RunId run;
  TurnId turn;
  ActionId action;
  model::TrimmedView trimmed;
};

// What the events of all sessions came to.
struct FlowNumbers {
  // Since the start: what listeners did not get.
  std::uint64_t data_lost = 0;
  std::uint64_t telemetry_lost = 0;
  // Now: what they have yet to read, by lane.
  std::array<std::size_t, std::size(model::kLaneRows)> depth{};
};

// What a session is opened for when that is less than everything a page can do.
struct SessionWish {
  browser::PageScripts scripts = browser::PageScripts::kRun;
  browser::PageParts parts = browser::PageParts::kAll;
  StateLooks looks = StateLooks::kAlways;
};

// The rooms the runtime joins. All must outlive it.
struct RuntimeParts {
  browser::SessionManager& sessions;
  kernel::LeaseKeeper& leases;
  kernel::ActionRegistry& actions;
  const kernel::GateList& gates;
  ledger::Ledger& ledger;
  const ledger::Scrubber& scrubber;
  const kernel::EpochGuard& epochs;
  kernel::TenantIndex& index;
  kernel::LoadMeter& load;
  browser::ArtifactManager& artifacts;
  // Who is asked while a turn runs.
  ControlDesks control;
  // Notices when everything is to stop.
  kernel::PauseWatch& pauses;
  // Told how turns ended.
  kernel::BreakerBook& breakers;
  // Where the events of all sessions go; null for nowhere.
  kernel::TelemetrySink* telemetry = nullptr;
  // Where the values of secrets come from; null for nowhere.
  SecretDesk* secrets = nullptr;
  // Where the spans of turns go; null for nowhere.
  SpanSink* spans = nullptr;
  // Looks at pictures for targets that were not found; null for nobody.
  VisionGate* vision = nullptr;
  // Told of turns that have ended; null for nobody.
  TurnWatch* watch = nullptr;
};

struct RuntimeConfig {
  DriveLimits drive;
  // Of every session, but for its folder and what its tenant may still bring down.
  browser::SessionOptions session;
  // Told as each contract passes a stage; may be empty. It must not wait.
  std::function<void(TurnStage)> on_stage;
  // Most workflows that may have a session at once; the next is refused.
  std::size_t max_sessions = 264;
  // What changes something and is of this risk is asked about before it leaves; nothing for never.
  std::optional<model::RiskLevel> ask_from;
  // A session that nobody has used for this long is closed; zero for never.
  Duration idle_close = std::chrono::minutes(15);
  // What the plans are made from; their digests go into each plan.
  json::object admission_policy;
  json::object policy;
};

class Runtime {
 public:
  Runtime(Executor executor, Clock& clock, RuntimeParts parts, RuntimeConfig config);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // Carries out a contract given as JSON and answers with the bytes of an ActionExecutionResult,
  // the same bytes every time the same contract is sent. Refusals and failures are results too, and
  // so is the end of ctx, however early; it fails only when nothing could be recorded: kIoError,
  // kLedgerDamaged, or kOutcomeUnknown when that came too late to keep it from happening.
  Task<Result<kernel::AnswerBytes>> Execute(CallContext ctx, Caller caller, json::value contract);

  // Records what a turn showed a model when not all of it fitted. Nobody waits for that; a view
  // that cannot be recorded is logged.
  void NoteView(const Caller& caller, const ViewOfTurn& view);
  // Records a step of a run: that a tool was called, and what came of it. Nobody waits for that
  // either.
  void NoteStep(const Caller& caller, const std::string& run, json::object step);

  // A person drives the session from when this returns: the turn that ran has ended as stale,
  // nothing that is held leaves, and agents are refused (kStaleEpoch, reason taken_over) until it
  // is handed back. On record. kNotFound without a session, kAlreadyExists when another person has
  // it or the driver is being changed; fails like ctx when the turn does not end in time: then the
  // person has it all the same.
  Task<Result<Takeover>> TakeOver(CallContext ctx, browser::SessionKey key, DriverChange change);
  // Gives it back to agents; what the person had under way has ended then. Answers with the new
  // epoch. kNotFound when no person has it.
  Task<Result<std::int64_t>> HandBack(CallContext ctx, browser::SessionKey key,
                                      DriverChange change);
  // Who has it; nothing while agents drive it or there is no session.
  std::optional<Takeover> TakeoverOf(const browser::SessionKey& key) const;
  // For what agents do without a contract: kStaleEpoch while a person has it.
  Result<void> CheckNotTaken(const browser::SessionKey& key) const;

  // How the session of a workflow is opened, if it has none yet; forgotten when it is closed.
  void Plan(const browser::SessionKey& key, SessionWish wish) { wishes_[key] = wish; }
  // Closes the session of a workflow and lets go of its lease.
  Task<void> Close(CallContext ctx, browser::SessionKey key);
  // Closes every session.
  Task<void> Stop(CallContext ctx);

  const RuntimeParts& parts() const { return parts_; }
  const RuntimeConfig& config() const { return config_; }
  // Writes those of the snapshots that the tenant's chain lacks: before the first record that
  // refers to them. Fails as the ledger does.
  Task<Result<void>> KeepSnapshots(TenantId tenant, std::vector<Snapshot> snapshots);
  Clock& clock() const { return clock_; }
  TurnMeter& meter() { return meter_; }
  FlowNumbers Flow() const;
  void Passed(TurnStage stage) const {
    if (config_.on_stage) config_.on_stage(stage);
  }
  const Executor& executor() const { return executor_; }

  // The session of a workflow, under a lease if one can be had: whether that is so the gates judge.
  // In use until the last copy of the pointer is gone: one without a page goes with it, and one
  // with a page is closed once nobody has used it for a while. Fails like ctx.
  Task<Result<std::shared_ptr<WorkflowSession>>> SessionFor(CallContext ctx,
                                                            browser::SessionKey key);
  // The session of the workflow if it has one, else one that is nobody's: for what is refused
  // whoever drives the workflow. Takes no lease.
  std::shared_ptr<WorkflowSession> SessionAside(const browser::SessionKey& key);
  // Listens to what happens in the session of a workflow, under a name that is an id. kNotFound
  // when it has none.
  Result<kernel::BusSubscription> Listen(const browser::SessionKey& key, std::string name) const;
  // The session's browser, opened when it is first needed; the session is in use for as long as
  // the pointer is held. Also fails when the session was closed.
  Task<Result<std::shared_ptr<DriveKit>>> KitOf(CallContext ctx,
                                                std::shared_ptr<WorkflowSession> session);

 private:
  Task<void> TakeLease(std::shared_ptr<WorkflowSession> session);
  // Raises the epoch and ends what runs, whoever began it; `set` changes who drives in between.
  Task<Result<std::int64_t>> ChangeDriver(CallContext ctx, std::shared_ptr<WorkflowSession> session,
                                          Error why, std::function<void(std::int64_t epoch)> set);
  Task<void> NoteDriver(std::shared_ptr<WorkflowSession> session, json::object change);
  // Waits for the time when nobody needs the session any more, and closes it.
  Task<void> CloseWhenIdle(std::shared_ptr<WorkflowSession> session);
  // Whoever was refused leaves no lease behind.
  Task<void> CloseIfOfNoUse(browser::SessionKey key);
  // Hands the session's events on until it is closed.
  Task<void> Report(std::shared_ptr<WorkflowSession> session);
  Task<Result<std::shared_ptr<DriveKit>>> OpenKit(CallContext ctx,
                                                  std::shared_ptr<WorkflowSession> session);
  void Forget(const std::shared_ptr<WorkflowSession>& session);
  Result<browser::SessionOptions> OptionsOf(const WorkflowSession& session) const;
  std::shared_ptr<WorkflowSession> NewSession(const browser::SessionKey& key) const;
  // The session of a workflow, made if there is none and there may be one more.
  std::shared_ptr<WorkflowSession> Known(const browser::SessionKey& key);
  bool IsHeld(const browser::SessionKey& key,
              const std::shared_ptr<WorkflowSession>& session) const;
  Task<void> EndTurns(CallContext ctx, std::shared_ptr<WorkflowSession> session);
  Task<void> Note(TenantId tenant, ledger::RecordInput record);
  Task<void> WriteDecisions(std::shared_ptr<WorkflowSession> session);
  void OnLeaseLost(const SessionId& id, const Error& why);
  // While everything is paused no page goes on by itself either.
  void CloseWhenPaused(const std::shared_ptr<WorkflowSession>& session);

  Executor executor_;
  Clock& clock_;
  RuntimeParts parts_;
  RuntimeConfig config_;
  SnapshotBook snapshots_;
  TurnMeter meter_;
  // Of sessions that are gone.
  FlowNumbers past_flow_;
  std::map<browser::SessionKey, std::shared_ptr<WorkflowSession>> sessions_;
  std::map<browser::SessionKey, SessionWish> wishes_;
  Subscription lost_;
  TaskScope tasks_;
};

}  // namespace falconer::engine
