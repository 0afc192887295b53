#include "engine/runtime.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "browser/context/download_folder.h"
#include "engine/turn_fence.h"
#include "engine/turn_flow.h"
#include "engine/turn_watch.h"

namespace falconer::engine {
namespace {

constexpr auto kClosingTime = std::chrono::seconds(10);

// Whoever has the pointer uses the session.
std::shared_ptr<WorkflowSession> InUse(std::shared_ptr<WorkflowSession> session) {
  WorkflowSession* const used = session.get();
  ++used->users;
  ++used->uses;
  return {used, [session = std::move(session)](WorkflowSession* left) {
            --left->users;
            left->changes.NotifyAll();
          }};
}

void AddLosses(const kernel::BusStats& stats, FlowNumbers& sum) {
  sum.data_lost += stats.shed;
  sum.telemetry_lost += stats.lost;
}

std::string LineOf(const kernel::BusEvent& event) {
  return std::visit([](const auto& content) { return json::serialize(content.ToJson()); }, event);
}

}  // namespace

Runtime::Runtime(Executor executor, Clock& clock, RuntimeParts parts, RuntimeConfig config)
    : executor_(std::move(executor)),
      clock_(clock),
      parts_(parts),
      config_(std::move(config)),
      lost_(parts_.leases.on_lost().Subscribe(
          [this](const SessionId& id, const Error& why) { OnLeaseLost(id, why); })),
      tasks_(executor_) {
}

Runtime::~Runtime() = default;

Task<Result<kernel::AnswerBytes>> Runtime::Execute(CallContext ctx, Caller caller,
                                                   json::value contract) {
  auto flow = std::make_unique<TurnFlow>(*this, std::move(caller), std::move(contract));
  const browser::SessionKey key = flow->key();
  auto answer = co_await flow->Go(std::move(ctx));
  flow.reset();
  co_await CloseIfOfNoUse(key);
  co_return answer;
}

Task<Result<std::shared_ptr<WorkflowSession>>> Runtime::SessionFor(CallContext ctx,
                                                                   browser::SessionKey key) {
  std::shared_ptr<WorkflowSession> session = InUse(Known(key));
  while (session->is_closing) {
    CO_TRY(co_await session->changes.Until(
        ctx, [this, session] { return !IsHeld(session->key, session); }, "the session to close"));
    session = InUse(Known(key));
  }
  CO_TRY(co_await session->changes.Until(
      std::move(ctx), [session] { return session->lease.has_value(); }, "the lease"));
  co_return session;
}

std::shared_ptr<WorkflowSession> Runtime::SessionAside(const browser::SessionKey& key) {
  const auto found = sessions_.find(key);
  return InUse(found == sessions_.end() ? NewSession(key) : found->second);
}

Result<kernel::BusSubscription> Runtime::Listen(const browser::SessionKey& key,
                                                std::string name) const {
  const auto found = sessions_.find(key);
  if (found != sessions_.end()) return found->second->bus.Subscribe(std::move(name));
  return Fail(ErrorCode::kNotFound, "there is no session " + key.workflow.value());
}

std::shared_ptr<WorkflowSession> Runtime::NewSession(const browser::SessionKey& key) const {
  auto made = std::make_shared<WorkflowSession>(key, SessionId("s" + RandomHex(6)), clock_);
  made->rule = std::make_shared<ControlRule>(config_.session.request_rule, clock_);
  made->holds = std::make_unique<HoldKeeper>(executor_, clock_, parts_.control, made->rule);
  made->approvals =
      std::make_unique<ApprovalSignals>(parts_.control.approvals, made->stamper, made->bus,
                                        [raw = made.get()] { return raw->Epoch(); });
  return made;
}

std::shared_ptr<WorkflowSession> Runtime::Known(const browser::SessionKey& key) {
  if (const auto found = sessions_.find(key); found != sessions_.end()) return found->second;
  const auto made = NewSession(key);
  if (sessions_.size() >= config_.max_sessions) {
    made->lease = Fail(ErrorCode::kGlobalSessionLimit,
                       std::to_string(sessions_.size()) + " workflows have a session already");
    return made;
  }
  sessions_[key] = made;
  tasks_.Spawn("session.lease", TakeLease(made));
  return made;
}

bool Runtime::IsHeld(const browser::SessionKey& key,
                     const std::shared_ptr<WorkflowSession>& session) const {
  const auto found = sessions_.find(key);
  return found != sessions_.end() && found->second == session;
}

FlowNumbers Runtime::Flow() const {
  FlowNumbers sum = past_flow_;
  for (const auto& [key, session] : sessions_) {
    AddLosses(session->bus.stats(), sum);
    for (const auto& row : model::kLaneRows)
      sum.depth[static_cast<std::size_t>(row.lane)] += session->bus.depth(row.lane);
  }
  return sum;
}

void Runtime::Forget(const std::shared_ptr<WorkflowSession>& session) {
  if (IsHeld(session->key, session)) {
    AddLosses(session->bus.stats(), past_flow_);
    sessions_.erase(session->key);
  }
  session->changes.NotifyAll();
}

Task<void> Runtime::TakeLease(std::shared_ptr<WorkflowSession> session) {
  const browser::SessionKey key = session->key;
  auto lease =
      co_await parts_.leases.Acquire({.tenant = key.tenant, .workflow = key.workflow}, session->id);
  // Closed meanwhile: whoever closed it found no lease to let go of.
  if (session->authority.is_cancelled()) co_await parts_.leases.Release(session->id);
  session->lease = std::move(lease);
  if (*session->lease) {
    parts_.index.Forget(key.tenant);
    if (parts_.telemetry != nullptr) tasks_.Spawn("session.report", Report(session));
    const auto connected = session->turns.Connected();
    if (!connected) {
      LOG(info, "session.not_connected", {"session", session->id.value()},
          {"why", connected.error().message()});
    }
    tasks_.Spawn("session.idle", CloseWhenIdle(session));
    session->changes.NotifyAll();
    co_return;
  }
  LOG(info, "lease.refused", {"session", session->id.value()}, {"workflow", key.workflow.value()},
      {"why", session->lease->error().message()});
  // Without a lease it is nobody's session: the next caller asks for the lease again.
  Forget(session);
}

Task<Result<std::shared_ptr<DriveKit>>> Runtime::KitOf(CallContext ctx,
                                                       std::shared_ptr<WorkflowSession> session) {
  CO_TRY(co_await session->changes.Until(
      ctx, [&session] { return !session->is_opening; }, "the session to open"));
  CO_TRY(session->authority.token().Check());
  session->is_opening = true;
  auto kit = co_await OpenKit(std::move(ctx), session);
  session->is_opening = false;
  session->changes.NotifyAll();
  if (!kit) co_return kit;
  DriveKit* const used = kit->get();
  co_return std::shared_ptr<DriveKit>(
      used, [kit = *std::move(kit), session = InUse(std::move(session))](DriveKit*) {});
}

Task<Result<std::shared_ptr<DriveKit>>> Runtime::OpenKit(CallContext ctx,
                                                         std::shared_ptr<WorkflowSession> session) {
  std::optional<browser::SessionOptions> options;
  // Those of a session that is open stay as they are.
  if (parts_.sessions.Find(session->key) == nullptr) {
    CO_TRY_ASSIGN(options, OptionsOf(*session));
    std::error_code failed;
    std::filesystem::create_directories(options->artifacts, failed);
    session->folder_claim = browser::ClaimDownloadFolder(options->artifacts);
  }
  CO_TRY_ASSIGN(auto browser,
                co_await parts_.sessions.Acquire(std::move(ctx), session->key, std::move(options)));
  const bool is_same = session->kit && session->kit->session == browser;
  if (!is_same) {
    session->holds->Follow(browser);
    CloseWhenPaused(session);
    session->kit = std::make_shared<DriveKit>(std::move(browser), config_.drive);
    if (const auto wish = wishes_.find(session->key); wish != wishes_.end())
      session->kit->looks = wish->second.looks;
  }
  co_return session->kit;
}

Result<browser::SessionOptions> Runtime::OptionsOf(const WorkflowSession& session) const {
  const browser::SessionKey& key = session.key;
  browser::SessionOptions options = config_.session;
  options.request_rule = session.rule;
  if (const auto wish = wishes_.find(key); wish != wishes_.end()) {
    options.scripts = wish->second.scripts;
    options.parts = wish->second.parts;
  }
  options.artifacts = parts_.artifacts.FolderOf({.tenant = key.tenant, .workflow = key.workflow});
  TRY_ASSIGN(const std::uint64_t left, parts_.artifacts.LeftBytes(key.tenant));
  options.max_download_bytes = std::min(options.max_download_bytes, left);
  return options;
}

Task<void> Runtime::Report(std::shared_ptr<WorkflowSession> session) {
  auto events = session->bus.Subscribe("telemetry");
  const CallContext ctx = CallContext(executor_, clock_).WithCancel(session->authority.token());
  for (;;) {
    const auto event = co_await events.Next(ctx);
    if (!event) break;
    parts_.telemetry->TryWrite(LineOf(**event));
  }
  // Closing a session is said too.
  while (const auto event = events.TryNext()) parts_.telemetry->TryWrite(LineOf(*event));
}

Task<void> Runtime::CloseWhenIdle(std::shared_ptr<WorkflowSession> session) {
  const CallContext ctx = CallContext(executor_, clock_).WithCancel(session->authority.token());
  for (;;) {
    const auto left = co_await session->changes.Until(
        ctx, [&session] { return session->users == 0; }, "the session to be left alone");
    if (!left) co_return;
    if (session->is_of_no_use()) break;
    const bool has_limit = config_.idle_close > Duration::zero();
    const std::uint64_t uses = session->uses;
    const auto used = co_await session->changes.Until(
        has_limit ? ctx.WithTimeout(config_.idle_close) : ctx,
        [&session, uses] { return session->uses != uses; }, "somebody to use the session");
    if (!used && used.error().code() != ErrorCode::kTimeout) co_return;
    // Taking it in hand wakes nobody here: the time may be over while it is used.
    if (session->uses == uses) break;
  }
  LOG(info, "session.idle", {"session", session->id.value()},
      {"workflow", session->key.workflow.value()});
  co_await Close(CallContext(executor_, clock_).WithTimeout(kClosingTime), session->key);
}

Task<void> Runtime::CloseIfOfNoUse(browser::SessionKey key) {
  const auto found = sessions_.find(key);
  if (found == sessions_.end() || !found->second->is_of_no_use()) co_return;
  co_await Close(CallContext(executor_, clock_).WithTimeout(kClosingTime), std::move(key));
}

// The order matters: nothing more leaves, the turn that runs ends and is sealed, the browser goes,
// and only then may somebody else have the lease, or the same caller a new session.
Task<void> Runtime::Close(CallContext ctx, browser::SessionKey key) {
  wishes_.erase(key);
  const auto found = sessions_.find(key);
  if (found == sessions_.end() || found->second->is_closing) co_return;
  const std::shared_ptr<WorkflowSession> session = found->second;
  session->is_closing = true;
  session->authority.Cancel(Error(ErrorCode::kSessionClosed, "the session was closed"));
  const auto fenced = session->fence.Accept(SessionScope(session->id), "the session was closed");
  if (!fenced) {
    LOG(warn, "fence.not_accepted", {"session", session->id.value()},
        {"why", fenced.error().message()});
  }
  co_await EndTurns(ctx, session);
  co_await session->holds->CallOff(Error(ErrorCode::kSessionClosed, "the session was closed"));
  co_await WriteDecisions(session);
  const auto released = co_await parts_.sessions.Release(std::move(ctx), key);
  if (!released && released.error().code() != ErrorCode::kNotFound)
    LOG(warn, "session.not_released", {"session", session->id.value()},
        {"why", released.error().message()});
  co_await parts_.leases.Release(session->id);
  Forget(session);
  if (parts_.watch != nullptr) parts_.watch->OnSessionClosed(session->key);
}

Task<void> Runtime::EndTurns(CallContext ctx, std::shared_ptr<WorkflowSession> session) {
  if (!session->turns.Drain()) co_return;
  const auto sealed = co_await session->changes.Until(
      std::move(ctx), [&session] { return !session->turns.is_busy(); }, "the turn to end");
  if (!sealed) {
    LOG(warn, "turn.broken_off", {"session", session->id.value()},
        {"why", sealed.error().message()});
  }
  const auto ended = session->turns.End();
  if (!ended) {
    LOG(warn, "session.not_ended", {"session", session->id.value()},
        {"why", ended.error().message()});
  }
}

// What was decided about the session itself; decisions about contracts are with the contracts.
Task<void> Runtime::WriteDecisions(std::shared_ptr<WorkflowSession> session) {
  if (session->decisions.all().empty()) co_return;
  json::object payload{{"workflow", session->key.workflow.value()},
                       {"session", session->id.value()},
                       {"decisions", session->decisions.all()}};
  co_await Note(session->key.tenant,
                {.kind = ledger::RecordKind::kDecision, .payload = std::move(payload)});
}

void Runtime::NoteView(const Caller& caller, const ViewOfTurn& view) {
  json::object payload{{"workflow", view.workflow.value()},
                       {"run", view.run.value()},
                       {"turn_id", view.turn.value()},
                       {"action_id", view.action.value()},
                       {"view", view.trimmed.ToJson()}};
  tasks_.Spawn("view.note", Note(caller.tenant, {.kind = ledger::RecordKind::kView,
                                                 .payload = std::move(payload)}));
}

void Runtime::NoteStep(const Caller& caller, const std::string& run, json::object step) {
  json::object payload{{"run", run}, {"agent", caller.agent}, {"step", std::move(step)}};
  tasks_.Spawn("step.note", Note(caller.tenant, {.kind = ledger::RecordKind::kToolStep,
                                                 .payload = std::move(payload)}));
}

Task<void> Runtime::Note(TenantId tenant, ledger::RecordInput record) {
  const auto written = co_await parts_.ledger.Append(tenant, std::move(record));
  if (!written) {
    LOG(warn, "record.lost", {"why", written.error().message()});
    co_return;
  }
  parts_.actions.Saw(tenant, written->seq);
}

Task<Result<void>> Runtime::KeepSnapshots(TenantId tenant, std::vector<Snapshot> snapshots) {
  auto lacking = snapshots_.Lacking(tenant, snapshots);
  if (!lacking) co_return Result<void>();
  CO_TRY_ASSIGN(const auto receipt,
                co_await parts_.ledger.Append(tenant, {.kind = ledger::RecordKind::kSnapshot,
                                                       .payload = *std::move(lacking)}));
  parts_.actions.Saw(tenant, receipt.seq);
  snapshots_.Written(tenant, snapshots);
  co_return Result<void>();
}

Task<void> Runtime::Stop(CallContext ctx) {
  while (!sessions_.empty()) {
    const auto first = *sessions_.begin();
    co_await Close(ctx, first.first);
    // Somebody else may be closing it already.
    const auto gone = co_await first.second->changes.Until(
        ctx, [&] { return !IsHeld(first.first, first.second); }, "the session to be closed");
    if (!gone) sessions_.erase(first.first);
  }
  co_await tasks_.Join();
}

// Whoever has the lease now drives the workflow: what is left of it here must not.
void Runtime::OnLeaseLost(const SessionId& id, const Error& why) {
  for (const auto& [key, session] : sessions_) {
    if (session->id != id) continue;
    session->authority.Cancel(Error(ErrorCode::kStaleEpoch, std::string(why.message())));
    const CallContext ctx = CallContext(executor_, clock_).WithTimeout(kClosingTime);
    tasks_.Spawn("session.fenced", Close(ctx, key));
    return;
  }
}

void Runtime::CloseWhenPaused(const std::shared_ptr<WorkflowSession>& session) {
  session->ward = parts_.pauses.Begin(session->key.tenant);
  session->holds->EndWith({session->authority.token(), session->ward.token()});
  session->paused = session->ward.token().OnCancel([this, key = session->key] {
    tasks_.Spawn("session.paused",
                 Close(CallContext(executor_, clock_).WithTimeout(kClosingTime), key));
  });
}

}  // namespace falconer::engine
