#pragma once
// BrowserPool: a few browsers, started when somebody needs them, each with a bounded number of
// sessions. A browser that dies or stops answering is replaced at the next demand; one that is old
// or has served enough takes no new sessions and ends when its last one does; one that nobody uses
// ends by itself.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "browser/browser.h"
#include "browser/permits.h"

namespace falconer::browser {

struct PoolConfig {
  // Browsers that take new sessions. Retired ones that still have sessions come on top.
  std::size_t max_browsers = 1;
  std::size_t max_sessions_per_browser = 50;
  // Sessions after which a browser is retired; 0 means never.
  std::size_t recycle_after_sessions = 50;
  // Age at which a browser is retired; zero means never.
  Duration max_age = std::chrono::minutes(30);
  // How long a browser without sessions is kept; zero means for ever.
  Duration idle_shutdown = std::chrono::minutes(2);
  // A browser that leaves `health_failures` questions in a row unanswered is ended.
  Duration health_interval = std::chrono::seconds(10);
  Duration health_timeout = std::chrono::seconds(5);
  int health_failures = 3;
};

// Starts a browser, or attaches to one.
using BrowserFactory = std::function<Task<Result<std::unique_ptr<Browser>>>(CallContext ctx)>;

// One browser of the pool.
struct PoolMember;

// A place for one session in one browser. Letting go of it frees the place.
class BrowserPlace {
 public:
  // Holds nothing.
  BrowserPlace() = default;
  BrowserPlace(BrowserPlace&&) noexcept = default;
  BrowserPlace& operator=(BrowserPlace&& other) noexcept;
  ~BrowserPlace();

  // The number of the browser, 1 for the first that was started.
  std::uint64_t browser_number() const;
  // Whether the browser takes no new sessions and ends as soon as the ones it has do.
  bool is_retired() const;
  // Whether it is retired for its age: not a place to keep anything ready.
  bool is_old() const;

 private:
  friend class BrowserPool;
  BrowserPlace(std::shared_ptr<PoolMember> member, Permit permit);
  void Leave();

  std::shared_ptr<PoolMember> member_;
  Permit permit_;
};

// A session and its place, which must be kept as long as the session is open.
struct PlacedSession {
  BrowserPlace place;
  std::shared_ptr<Session> session;
};

struct BrowserStatus {
  std::uint64_t number = 0;
  int pid = 0;
  std::string product;
  bool is_retired = false;
  std::size_t sessions = 0;
  // Sessions since it was started.
  std::size_t served = 0;
  Duration age{};
  int failed_probes = 0;
};

class BrowserPool {
 public:
  enum class WhenFull { kWait, kFail };

  BrowserPool(Executor executor, Clock& clock, PoolConfig config, BrowserFactory factory);
  // Stop() must have ended first, and every call into the pool.
  ~BrowserPool();
  BrowserPool(const BrowserPool&) = delete;
  BrowserPool& operator=(const BrowserPool&) = delete;

  // Opens a session in the browser with the fewest; starts a browser when every one is in use and
  // there may be more. Two callers never start the same browser. Fails with kGlobalSessionLimit
  // when every place stays taken until the deadline (or at once, if so asked),
  // kBrowserLaunchFailed, kSessionInitFailed once stopped, or as opening a session fails.
  Task<Result<PlacedSession>> Open(CallContext ctx, SessionId id, SessionOptions options,
                                   WhenFull when_full = WhenFull::kWait);

  // Begins to start a browser when there is none: the first session will find it running.
  void WarmUp();
  // Waits until a browser runs, starting one if need be, and answers its product name. Fails as
  // starting one does, and like ctx.
  Task<Result<std::string>> Ready(CallContext ctx);

  // Ends every browser, with its sessions, and refuses new ones.
  Task<void> Stop(CallContext ctx);

  std::vector<BrowserStatus> List() const;
  bool is_full() const { return places_.in_use() >= places_.limit(); }
  // Told when a browser was retired for its age.
  Subscription OnAged(std::function<void()> handler) {
    return on_aged_.Subscribe(std::move(handler));
  }

 private:
  // One start of a browser that any number of callers wait for.
  struct Launching {
    bool is_done = false;
    Result<void> outcome;
  };

  Task<Result<BrowserPlace>> FindPlace(CallContext ctx, WhenFull when_full);
  Task<Result<std::shared_ptr<PoolMember>>> FindMember(CallContext ctx);
  std::shared_ptr<PoolMember> LeastLoaded();
  std::size_t serving() const;
  std::shared_ptr<Launching> JoinLaunch();
  Task<void> Launch(std::shared_ptr<Launching> launching);
  void Add(std::unique_ptr<Browser> browser);

  Task<void> Watch(std::shared_ptr<PoolMember> member);
  Task<void> Probe(std::shared_ptr<PoolMember> member);
  Task<void> End(std::shared_ptr<PoolMember> member, CallContext ctx);
  bool HasServedEnough(const PoolMember& member) const;
  bool IsOld(const PoolMember& member) const;
  bool IsIdle(const PoolMember& member) const;
  TimePoint NextLook(const PoolMember& member) const;
  void RetireSpent();
  void OnGone(const std::shared_ptr<PoolMember>& member, const Error& reason);
  Result<void> Accepting() const;

  Executor executor_;
  Clock& clock_;
  PoolConfig config_;
  BrowserFactory factory_;
  PermitQueue places_;
  // Browsers that live, in the order they were started.
  std::vector<std::shared_ptr<PoolMember>> members_;
  std::shared_ptr<Launching> launching_;
  std::uint64_t last_number_ = 0;
  bool is_stopped_ = false;
  Notifier changes_;
  EventHub<> on_aged_;
  TaskScope tasks_;
};

}  // namespace falconer::browser
