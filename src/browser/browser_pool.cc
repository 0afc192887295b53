#include "browser/browser_pool.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace falconer::browser {
namespace {

// A browser that is asked to end gets this long before it is killed.
constexpr Duration kGraceToEnd = std::chrono::seconds(10);

}  // namespace

struct PoolMember {
  PoolMember(const Executor& executor, Clock& clock) : look_again(executor, clock) {}

  std::uint64_t number = 0;
  // Shared with calls that are opening a session in it; null once it has ended.
  std::shared_ptr<Browser> browser;
  bool is_gone = false;
  bool is_retired = false;
  bool is_old = false;
  std::size_t sessions = 0;
  std::size_t served = 0;
  TimePoint born;
  TimePoint idle_since;
  TimePoint next_probe;
  int failed_probes = 0;
  Clock* clock = nullptr;
  // Wakes the task that watches the browser.
  Alarm look_again;
  Subscription gone;
};

BrowserPlace::BrowserPlace(std::shared_ptr<PoolMember> member, Permit permit)
    : member_(std::move(member)), permit_(std::move(permit)) {
  ++member_->sessions;
  ++member_->served;
}

BrowserPlace& BrowserPlace::operator=(BrowserPlace&& other) noexcept {
  if (this == &other) return *this;
  Leave();
  member_ = std::move(other.member_);
  permit_ = std::move(other.permit_);
  return *this;
}

BrowserPlace::~BrowserPlace() {
  Leave();
}

void BrowserPlace::Leave() {
  const auto member = std::exchange(member_, nullptr);
  if (!member) return;
  --member->sessions;
  member->idle_since = member->clock->Now();
  member->look_again.Signal();
}

std::uint64_t BrowserPlace::browser_number() const {
  return member_ ? member_->number : 0;
}

bool BrowserPlace::is_retired() const {
  return member_ && member_->is_retired;
}

bool BrowserPlace::is_old() const {
  return member_ && member_->is_old;
}

BrowserPool::BrowserPool(Executor executor, Clock& clock, PoolConfig config, BrowserFactory factory)
    : executor_(executor),
      clock_(clock),
      config_(config),
      factory_(std::move(factory)),
      places_(config.max_browsers * config.max_sessions_per_browser, "places for sessions"),
      tasks_(std::move(executor)) {
}

BrowserPool::~BrowserPool() = default;

Result<void> BrowserPool::Accepting() const {
  if (is_stopped_) return Fail(ErrorCode::kSessionInitFailed, "the browsers are being shut down");
  return {};
}

Task<Result<PlacedSession>> BrowserPool::Open(CallContext ctx, SessionId id, SessionOptions options,
                                              WhenFull when_full) {
  CO_TRY_ASSIGN(BrowserPlace place, co_await FindPlace(ctx, when_full));
  auto browser = place.member_->browser;
  auto session = co_await browser->NewSession(ctx, id, options);
  if (!session && session.error().code() == ErrorCode::kBrowserGone) {
    // It may have died unnoticed since it was last used: that is no reason to fail.
    place = BrowserPlace();
    CO_TRY_ASSIGN(place, co_await FindPlace(ctx, when_full));
    browser = place.member_->browser;
    session = co_await browser->NewSession(ctx, std::move(id), std::move(options));
  }
  if (!session) co_return std::unexpected(std::move(session).error());
  co_return PlacedSession{.place = std::move(place), .session = *std::move(session)};
}

Task<Result<BrowserPlace>> BrowserPool::FindPlace(CallContext ctx, WhenFull when_full) {
  CO_TRY(Accepting());
  std::optional<Permit> permit = places_.TryAcquire();
  if (!permit && when_full == WhenFull::kFail) {
    co_return Fail(ErrorCode::kGlobalSessionLimit, "every browser is full");
  }
  if (!permit) {
    CO_TRY_ASSIGN(permit, co_await places_.Acquire(ctx));
  }
  CO_TRY_ASSIGN(auto member, co_await FindMember(ctx));
  co_return BrowserPlace(std::move(member), *std::move(permit));
}

// A browser that is not running yet counts as one without sessions: demand is spread before it is
// stacked. While one is starting, others are not made to wait for it if there is room elsewhere.
Task<Result<std::shared_ptr<PoolMember>>> BrowserPool::FindMember(CallContext ctx) {
  for (;;) {
    CO_TRY(Accepting());
    RetireSpent();
    auto best = LeastLoaded();
    const bool may_start = !launching_ && serving() < config_.max_browsers;
    if (best && (best->sessions == 0 || !may_start)) co_return best;
    const auto launching = JoinLaunch();
    CO_TRY(co_await changes_.Until(
        ctx, [this, launching] { return launching->is_done || is_stopped_; },
        "a browser to start"));
    CO_TRY(Accepting());
    if (launching->outcome) continue;
    best = LeastLoaded();
    if (best) co_return best;
    co_return std::unexpected(launching->outcome.error());
  }
}

void BrowserPool::WarmUp() {
  if (Accepting() && members_.empty()) JoinLaunch();
}

Task<Result<std::string>> BrowserPool::Ready(CallContext ctx) {
  CO_TRY_ASSIGN(const auto member, co_await FindMember(std::move(ctx)));
  co_return member->browser->product();
}

std::shared_ptr<PoolMember> BrowserPool::LeastLoaded() {
  std::shared_ptr<PoolMember> best;
  for (const auto& member : members_) {
    if (member->is_retired || member->sessions >= config_.max_sessions_per_browser) continue;
    if (!best || member->sessions < best->sessions) best = member;
  }
  return best;
}

std::size_t BrowserPool::serving() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(members_, [](const auto& member) { return !member->is_retired; }));
}

// The launch belongs to the pool: a caller that gives up does not take it away from the others.
std::shared_ptr<BrowserPool::Launching> BrowserPool::JoinLaunch() {
  if (launching_) return launching_;
  const auto launching = launching_ = std::make_shared<Launching>();
  tasks_.Spawn("pool.launch", Launch(launching));
  return launching;
}

Task<void> BrowserPool::Launch(std::shared_ptr<Launching> launching) {
  auto browser = co_await factory_(CallContext(executor_, clock_));
  launching_.reset();
  launching->is_done = true;
  if (browser) {
    Add(*std::move(browser));
  } else {
    // Who stops while a browser starts has no use for the reason why it did not.
    if (!is_stopped_) LOG(error, "browser.launch_failed", {"why", browser.error().message()});
    launching->outcome = std::unexpected(std::move(browser).error());
  }
  changes_.NotifyAll();
}

void BrowserPool::Add(std::unique_ptr<Browser> browser) {
  const auto member = std::make_shared<PoolMember>(executor_, clock_);
  member->number = ++last_number_;
  member->clock = &clock_;
  member->born = member->idle_since = clock_.Now();
  member->next_probe = member->born + config_.health_interval;
  member->gone = browser->OnGone([this, weak = std::weak_ptr(member)](const Error& reason) {
    if (const auto lost = weak.lock()) OnGone(lost, reason);
  });
  member->browser = std::move(browser);
  members_.push_back(member);
  LOG(info, "browser.started", {"browser", member->number}, {"pid", member->browser->pid()},
      {"product", member->browser->product()});
  tasks_.Spawn("pool.watch", Watch(member));
}

Task<void> BrowserPool::Watch(std::shared_ptr<PoolMember> member) {
  while (!member->is_gone) {
    RetireSpent();
    if (member->sessions == 0 && (member->is_retired || IsIdle(*member))) {
      co_return co_await End(member, CallContext(executor_, clock_).WithTimeout(kGraceToEnd));
    }
    co_await member->look_again.Wait(Deadline::At(NextLook(*member)));
    if (!member->is_gone && clock_.Now() >= member->next_probe) co_await Probe(member);
  }
  // Not earlier: its last words were said from inside a call into it.
  member->gone.Reset();
  member->browser.reset();
}

Task<void> BrowserPool::Probe(std::shared_ptr<PoolMember> member) {
  const auto browser = member->browser;
  const auto answered =
      co_await browser->Probe(CallContext(executor_, clock_).WithTimeout(config_.health_timeout));
  member->next_probe = clock_.Now() + config_.health_interval;
  member->failed_probes = answered ? 0 : member->failed_probes + 1;
  if (member->is_gone || member->failed_probes < config_.health_failures) co_return;
  browser->Kill(Error(ErrorCode::kBrowserGone, "browser " + std::to_string(member->number) +
                                                   " stopped answering and was ended"));
}

Task<void> BrowserPool::End(std::shared_ptr<PoolMember> member, CallContext ctx) {
  member->is_gone = true;
  member->gone.Reset();
  std::erase(members_, member);
  const auto browser = std::exchange(member->browser, nullptr);
  if (browser) co_await browser->Close(std::move(ctx));
  LOG(info, "browser.ended", {"browser", member->number}, {"served", member->served});
}

bool BrowserPool::HasServedEnough(const PoolMember& member) const {
  return config_.recycle_after_sessions > 0 && member.served >= config_.recycle_after_sessions;
}

bool BrowserPool::IsOld(const PoolMember& member) const {
  return config_.max_age > Duration::zero() && clock_.Now() - member.born >= config_.max_age;
}

bool BrowserPool::IsIdle(const PoolMember& member) const {
  return config_.idle_shutdown > Duration::zero() &&
         clock_.Now() - member.idle_since >= config_.idle_shutdown;
}

TimePoint BrowserPool::NextLook(const PoolMember& member) const {
  TimePoint next = member.next_probe;
  if (member.sessions == 0 && config_.idle_shutdown > Duration::zero()) {
    next = std::min(next, member.idle_since + config_.idle_shutdown);
  }
  if (!member.is_old && config_.max_age > Duration::zero()) {
    next = std::min(next, member.born + config_.max_age);
  }
  return next;
}

void BrowserPool::RetireSpent() {
  bool has_aged = false;
  for (const auto& member : members_) {
    if (!member->is_old && IsOld(*member)) member->is_old = has_aged = true;
    if (member->is_retired || !(member->is_old || HasServedEnough(*member))) continue;
    member->is_retired = true;
    member->look_again.Signal();
    LOG(info, "browser.retired", {"browser", member->number}, {"served", member->served});
  }
  if (has_aged) on_aged_.Emit();
}

void BrowserPool::OnGone(const std::shared_ptr<PoolMember>& member, const Error& reason) {
  LOG(warn, "browser.gone", {"browser", member->number}, {"why", reason.message()});
  member->is_gone = true;
  std::erase(members_, member);
  member->look_again.Signal();
  changes_.NotifyAll();
}

Task<void> BrowserPool::Stop(CallContext ctx) {
  is_stopped_ = true;
  changes_.NotifyAll();
  co_await tasks_.Stop();
  const auto members = members_;
  for (const auto& member : members) co_await End(member, ctx);
}

std::vector<BrowserStatus> BrowserPool::List() const {
  std::vector<BrowserStatus> list;
  for (const auto& member : members_) {
    list.push_back({.number = member->number,
                    .pid = member->browser->pid(),
                    .product = member->browser->product(),
                    .is_retired = member->is_retired,
                    .sessions = member->sessions,
                    .served = member->served,
                    .age = clock_.Now() - member->born,
                    .failed_probes = member->failed_probes});
  }
  return list;
}

}  // namespace falconer::browser
