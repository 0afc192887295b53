#pragma once
// SessionManager: which session belongs to whom. A session is held for one workflow of one tenant
// until it is released; its browser context is then disposed, never cleaned and used again.

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async/event_hub.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/duration_histogram.h"
#include "base/ids.h"
#include "browser/browser_pool.h"
#include "browser/permits.h"

namespace falconer::browser {

struct SessionKey {
  TenantId tenant;
  WorkflowId workflow;
  friend auto operator<=>(const SessionKey&, const SessionKey&) = default;
};

struct SessionManagerConfig {
  std::size_t max_sessions = 200;
  // How long a caller waits for a free session.
  Duration acquire_timeout = std::chrono::minutes(5);
  // Sessions on the default options that are made ready before anybody asks.
  std::size_t prewarmed = 0;
  SessionOptions defaults;
  // Losses remembered for workflows that may never come back; the oldest is forgotten.
  std::size_t most_lost = 1024;
  // Sessions whose options name no folder get one below this, named by their id. May be empty.
  std::filesystem::path artifacts;
};

struct SessionInfo {
  SessionKey key;
  SessionId id;
  std::uint64_t browser_number = 0;
  std::size_t tabs = 0;
  WallTime opened;
  WallTime last_acquired;
};

// How workflows got their sessions, since the start.
struct AcquireMeter {
  std::uint64_t warm = 0;    // one was ready
  std::uint64_t opened = 0;  // one was made
  std::uint64_t failed = 0;
  DurationHistogram took;  // of those that got one
};

class SessionManager {
 public:
  // `pool` must outlive the manager.
  SessionManager(Executor executor, Clock& clock, BrowserPool& pool, SessionManagerConfig config);
  // Stop() must have ended first, and every call into the manager.
  ~SessionManager();
  SessionManager(const SessionManager&) = delete;
  SessionManager& operator=(const SessionManager&) = delete;

  // Begins to make sessions ready, if so configured.
  void Start();

  // The session of `key`: the one it has, or a new one. Options that differ from those it was
  // opened with replace it by a new one; without options, any session will do. Callers that share
  // it share its fate: it may be closed while they hold it. Fails with kInvalidArgument (a key with
  // an empty part), kGlobalSessionLimit, kSessionInitFailed once stopped, as opening fails, or once
  // with kBrowserGone when the session was lost with its browser; the next call then opens a new
  // one.
  Task<Result<std::shared_ptr<Session>>> Acquire(
      CallContext ctx, SessionKey key, std::optional<SessionOptions> options = std::nullopt);
  // The open session of `key`, or null.
  std::shared_ptr<Session> Find(const SessionKey& key) const;
  // Closes the session of `key`. kNotFound when it has none.
  Task<Result<void>> Release(CallContext ctx, SessionKey key);
  // Closes every session that is held now.
  Task<void> CloseAll(CallContext ctx);
  // Closes every session and refuses new ones.
  Task<void> Stop(CallContext ctx);

  // Open sessions, by key.
  std::vector<SessionInfo> List() const;
  // Browsers that run, also those without a session.
  std::vector<BrowserStatus> Browsers() const { return pool_.List(); }
  std::size_t waiting() const { return permits_.waiting(); }
  const AcquireMeter& meter() const { return meter_; }
  // Told whose session is open now.
  EventHub<const SessionKey&>& on_opened() { return on_opened_; }
  std::size_t prewarmed() const { return warm_.size(); }

 private:
  enum class Phase { kOpening, kOpen, kClosing, kGone };
  struct Record;
  class Tenure;
  // A session that waits for its first owner.
  struct Warm {
    PlacedSession placed;
    Subscription closed;
  };
  struct Lost {
    Error reason;
    std::uint64_t seq = 0;
  };

  Task<Result<void>> PhaseChange(CallContext ctx, std::shared_ptr<Record> record);
  Task<Result<std::shared_ptr<Session>>> OpenMeasured(CallContext ctx, SessionKey key,
                                                      SessionOptions options);
  Task<Result<std::shared_ptr<Session>>> OpenFor(CallContext ctx, SessionKey key,
                                                 SessionOptions options);
  Task<Result<PlacedSession>> Place(CallContext ctx, SessionOptions options);
  Task<Result<void>> CloseRecord(CallContext ctx, std::shared_ptr<Record> record);
  void OnClosed(const std::shared_ptr<Record>& record, const Error& reason);
  void NoteLost(const SessionKey& key, const Error& reason);
  void Remove(const std::shared_ptr<Record>& record);
  Result<void> ReportLost(const SessionKey& key);
  Result<void> Accepting() const;

  std::optional<PlacedSession> TakeWarm(const SessionOptions& options);
  Task<void> MakeRoom(CallContext ctx);
  void Refill();
  Task<void> Fill();
  bool WantsWarm() const;
  void DropStaleWarm();
  Task<Result<PlacedSession>> OpenNew(CallContext ctx, SessionOptions options,
                                      BrowserPool::WhenFull when_full);

  Executor executor_;
  Clock& clock_;
  BrowserPool& pool_;
  SessionManagerConfig config_;
  PermitQueue permits_;
  std::map<SessionKey, std::shared_ptr<Record>> records_;
  std::deque<Warm> warm_;
  // Why sessions were lost, until their owners are told. Bounded: the oldest loss is forgotten.
  std::map<SessionKey, Lost> lost_;
  std::uint64_t last_lost_ = 0;
  bool is_started_ = false;
  bool is_stopped_ = false;
  bool is_filling_ = false;
  AcquireMeter meter_;
  Notifier changes_;
  EventHub<const SessionKey&> on_opened_;
  Subscription aged_;
  TaskScope tasks_;
};

}  // namespace falconer::browser
