#include "browser/session_manager.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/random.h"

namespace falconer::browser {
namespace {

Result<void> CheckKey(const SessionKey& key) {
  if (key.tenant.empty()) return Fail(ErrorCode::kInvalidArgument, "tenant: must not be empty");
  if (key.workflow.empty()) return Fail(ErrorCode::kInvalidArgument, "workflow: must not be empty");
  return {};
}

}  // namespace

struct SessionManager::Record {
  SessionKey key;
  SessionOptions options;
  Phase phase = Phase::kOpening;
  WallTime opened;
  WallTime last_acquired;
  Permit permit;
  PlacedSession placed;
  Subscription closed;
};

// Takes a record that did not become or stay open off the list, however the coroutine that works on
// it ends.
class SessionManager::Tenure {
 public:
  Tenure(SessionManager& manager, std::shared_ptr<Record> record)
      : manager_(manager), record_(std::move(record)) {}
  ~Tenure() {
    if (record_->phase != Phase::kOpen) manager_.Remove(record_);
  }
  Tenure(const Tenure&) = delete;
  Tenure& operator=(const Tenure&) = delete;

 private:
  SessionManager& manager_;
  std::shared_ptr<Record> record_;
};

SessionManager::SessionManager(Executor executor, Clock& clock, BrowserPool& pool,
                               SessionManagerConfig config)
    : executor_(executor),
      clock_(clock),
      pool_(pool),
      config_(std::move(config)),
      permits_(config_.max_sessions, "sessions"),
      aged_(pool.OnAged([this] {
        DropStaleWarm();
        Refill();
      })),
      tasks_(std::move(executor)) {
}

SessionManager::~SessionManager() = default;

void SessionManager::Start() {
  is_started_ = true;
  Refill();
}

Result<void> SessionManager::Accepting() const {
  if (is_stopped_) return Fail(ErrorCode::kSessionInitFailed, "the sessions are being shut down");
  return {};
}

Task<Result<std::shared_ptr<Session>>> SessionManager::Acquire(
    CallContext ctx, SessionKey key, std::optional<SessionOptions> options) {
  CO_TRY(CheckKey(key));
  for (;;) {
    CO_TRY(Accepting());
    CO_TRY(ReportLost(key));
    const auto found = records_.find(key);
    if (found == records_.end()) break;
    const auto record = found->second;
    if (record->phase == Phase::kOpen && (!options || *options == record->options)) {
      record->last_acquired = clock_.WallNow();
      co_return record->placed.session;
    }
    if (record->phase == Phase::kOpen) {
      CO_TRY(co_await CloseRecord(ctx, record));
    } else {
      // Somebody else opens or closes it: what they leave is looked at afresh.
      CO_TRY(co_await PhaseChange(ctx, record));
    }
  }
  co_return co_await OpenMeasured(std::move(ctx), std::move(key),
                                  options ? *std::move(options) : config_.defaults);
}

Task<Result<void>> SessionManager::PhaseChange(CallContext ctx, std::shared_ptr<Record> record) {
  co_return co_await changes_.Until(
      std::move(ctx), [record, before = record->phase] { return record->phase != before; },
      "the workflow's session");
}

Task<Result<std::shared_ptr<Session>>> SessionManager::OpenMeasured(CallContext ctx, SessionKey key,
                                                                    SessionOptions options) {
  const TimePoint began = clock_.Now();
  auto session = co_await OpenFor(std::move(ctx), std::move(key), std::move(options));
  if (session) {
    meter_.took.Note(clock_.Now() - began);
  } else {
    ++meter_.failed;
  }
  co_return session;
}

Task<Result<std::shared_ptr<Session>>> SessionManager::OpenFor(CallContext ctx, SessionKey key,
                                                               SessionOptions options) {
  const auto record = std::make_shared<Record>(Record{.key = key, .options = std::move(options)});
  records_.emplace(std::move(key), record);
  const Tenure tenure(*this, record);
  CO_TRY_ASSIGN(record->permit,
                co_await permits_.Acquire(ctx.WithTimeout(config_.acquire_timeout)));
  CO_TRY(Accepting());
  CO_TRY_ASSIGN(record->placed, co_await Place(ctx, record->options));
  CO_TRY(Accepting());
  const auto session = record->placed.session;
  CO_TRY(session->Alive());
  record->closed = session->OnClosed([this, weak = std::weak_ptr(record)](const Error& reason) {
    if (const auto lost = weak.lock()) OnClosed(lost, reason);
  });
  record->phase = Phase::kOpen;
  record->opened = record->last_acquired = clock_.WallNow();
  changes_.NotifyAll();
  on_opened_.Emit(record->key);
  Refill();
  co_return session;
}

Task<Result<PlacedSession>> SessionManager::Place(CallContext ctx, SessionOptions options) {
  if (auto warm = TakeWarm(options)) {
    ++meter_.warm;
    co_return *std::move(warm);
  }
  co_await MakeRoom(ctx);
  auto placed = co_await OpenNew(std::move(ctx), std::move(options), BrowserPool::WhenFull::kWait);
  if (placed) ++meter_.opened;
  co_return placed;
}

Task<Result<PlacedSession>> SessionManager::OpenNew(CallContext ctx, SessionOptions options,
                                                    BrowserPool::WhenFull when_full) {
  SessionId id("ses_" + RandomHex(8));
  if (options.artifacts.empty() && !config_.artifacts.empty()) {
    options.artifacts = config_.artifacts / id.value();
  }
  return pool_.Open(std::move(ctx), std::move(id), std::move(options), when_full);
}

void SessionManager::OnClosed(const std::shared_ptr<Record>& record, const Error& reason) {
  if (record->phase != Phase::kOpen) return;
  if (reason.code() == ErrorCode::kBrowserGone) {
    LOG(warn, "session.lost", {"session", record->placed.session->id().value()},
        {"tenant", record->key.tenant.value()}, {"workflow", record->key.workflow.value()});
    NoteLost(record->key, reason);
  }
  Remove(record);
}

void SessionManager::NoteLost(const SessionKey& key, const Error& reason) {
  if (lost_.size() >= config_.most_lost) {
    lost_.erase(
        std::ranges::min_element(lost_, {}, [](const auto& entry) { return entry.second.seq; }));
  }
  lost_.insert_or_assign(key, Lost{.reason = reason, .seq = ++last_lost_});
}

// Whoever still waits on the record holds it, so what it held is let go of by hand.
void SessionManager::Remove(const std::shared_ptr<Record>& record) {
  record->phase = Phase::kGone;
  const auto found = records_.find(record->key);
  if (found != records_.end() && found->second == record) records_.erase(found);
  record->closed.Reset();
  record->placed.session.reset();
  record->placed.place = BrowserPlace();
  record->permit = Permit();
  changes_.NotifyAll();
}

Result<void> SessionManager::ReportLost(const SessionKey& key) {
  auto node = lost_.extract(key);
  if (node.empty()) return {};
  return std::unexpected(std::move(node.mapped().reason));
}

std::shared_ptr<Session> SessionManager::Find(const SessionKey& key) const {
  const auto found = records_.find(key);
  const bool is_open = found != records_.end() && found->second->phase == Phase::kOpen;
  return is_open ? found->second->placed.session : nullptr;
}

Task<Result<void>> SessionManager::Release(CallContext ctx, SessionKey key) {
  const auto found = records_.find(key);
  if (found != records_.end()) co_return co_await CloseRecord(std::move(ctx), found->second);
  if (lost_.erase(key) > 0) co_return Result<void>();
  co_return Fail(ErrorCode::kNotFound, "workflow " + key.workflow.value() + " has no session");
}

Task<Result<void>> SessionManager::CloseRecord(CallContext ctx, std::shared_ptr<Record> record) {
  CO_TRY(co_await changes_.Until(
      ctx, [&] { return record->phase != Phase::kOpening; }, "the session to open"));
  if (record->phase == Phase::kOpen) {
    record->phase = Phase::kClosing;
    const Tenure tenure(*this, record);
    const auto session = record->placed.session;
    co_await session->Close(std::move(ctx));
    co_return Result<void>();
  }
  co_return co_await changes_.Until(
      ctx, [&] { return record->phase == Phase::kGone; }, "the session to close");
}

Task<void> SessionManager::CloseAll(CallContext ctx) {
  const auto records = records_;
  for (const auto& [key, record] : records) {
    if (record->phase != Phase::kOpen) continue;
    const auto closed = co_await CloseRecord(ctx, record);
  }
}

Task<void> SessionManager::Stop(CallContext ctx) {
  is_stopped_ = true;
  co_await tasks_.Stop();
  for (auto warm = std::exchange(warm_, {}); const Warm& one : warm) {
    const auto session = one.placed.session;
    co_await session->Close(ctx);
  }
  co_await CloseAll(ctx);
  // Those that were opening find out by themselves.
  const auto empty = co_await changes_.Until(
      ctx, [this] { return records_.empty(); }, "sessions that were opening");
  if (!empty) LOG(warn, "session.stop_incomplete", {"left", records_.size()});
}

std::vector<SessionInfo> SessionManager::List() const {
  std::vector<SessionInfo> list;
  for (const auto& [key, record] : records_) {
    if (record->phase != Phase::kOpen) continue;
    Session& session = *record->placed.session;
    list.push_back({.key = key,
                    .id = session.id(),
                    .browser_number = record->placed.place.browser_number(),
                    .tabs = session.tabs().all().size(),
                    .opened = record->opened,
                    .last_acquired = record->last_acquired});
  }
  return list;
}

std::optional<PlacedSession> SessionManager::TakeWarm(const SessionOptions& options) {
  DropStaleWarm();
  // The folder is the owner's; everything else was settled when the session was made ready.
  SessionOptions wanted = options;
  wanted.artifacts = config_.defaults.artifacts;
  wanted.max_download_bytes = config_.defaults.max_download_bytes;
  if (warm_.empty() || wanted != config_.defaults) return std::nullopt;
  Warm first = std::move(warm_.front());
  warm_.pop_front();
  if (options == config_.defaults) return std::move(first.placed);
  const auto moved = first.placed.session->MoveInto(options.artifacts, options.max_download_bytes);
  if (!moved) return std::nullopt;
  return std::move(first.placed);
}

// Sessions that nobody uses yet give way to one that somebody asked for.
Task<void> SessionManager::MakeRoom(CallContext ctx) {
  if (warm_.empty()) co_return;
  const bool is_over = permits_.in_use() + warm_.size() > config_.max_sessions;
  if (!is_over && !pool_.is_full()) co_return;
  const Warm last = std::move(warm_.back());
  warm_.pop_back();
  const auto session = last.placed.session;
  co_await session->Close(std::move(ctx));
}

bool SessionManager::WantsWarm() const {
  return is_started_ && !is_stopped_ && warm_.size() < config_.prewarmed &&
         permits_.in_use() + warm_.size() < config_.max_sessions && !pool_.is_full();
}

void SessionManager::Refill() {
  if (is_filling_ || !WantsWarm()) return;
  is_filling_ = true;
  tasks_.Spawn("sessions.fill", Fill());
}

// A failure ends the filling until somebody next needs a session: a browser that cannot start must
// not be started in a loop.
Task<void> SessionManager::Fill() {
  while (WantsWarm()) {
    auto placed = co_await OpenNew(CallContext(executor_, clock_), config_.defaults,
                                   BrowserPool::WhenFull::kFail);
    if (!placed) {
      LOG(warn, "session.prewarm_failed", {"why", placed.error().message()});
      break;
    }
    Session& session = *placed->session;
    warm_.push_back({.placed = *std::move(placed),
                     .closed = session.OnClosed([this](const Error&) { DropStaleWarm(); })});
  }
  is_filling_ = false;
}

// A session kept ready would keep an old browser alive. Sessions that end tell us so: the list must
// be whole before any of them goes.
void SessionManager::DropStaleWarm() {
  std::deque<Warm> fresh;
  std::deque<Warm> stale;
  for (Warm& warm : warm_) {
    const bool is_fresh = warm.placed.session->is_open() && !warm.placed.place.is_old();
    (is_fresh ? fresh : stale).push_back(std::move(warm));
  }
  warm_ = std::move(fresh);
}

}  // namespace falconer::browser
