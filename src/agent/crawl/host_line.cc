#include "agent/crawl/host_line.h"

#include <algorithm>
#include <utility>

namespace falconer::agent {
namespace {

using std::chrono::milliseconds;

constexpr auto kShortestReturn = milliseconds(1000);
constexpr auto kLongestReturn = milliseconds(60'000);
constexpr auto kFirstDeferral = milliseconds(1000);
constexpr std::size_t kMostHosts = 4096;

}  // namespace

// A place in the line of a host; left when it goes, whatever ended the waiting.
class HostLine::Waiting {
 public:
  Waiting(HostLine& line, std::string host, std::shared_ptr<VisitGroup> group)
      : line_(line), host_(std::move(host)) {
    auto& queue = line_.At(host_).queue;
    ticket_ = queue.insert(queue.end(), Ticket{.group = std::move(group)});
    ++line_.waiting_;
  }
  ~Waiting() {
    line_.At(host_).queue.erase(ticket_);
    --line_.waiting_;
    line_.Changed();
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  bool IsNext(TimePoint now) const { return line_.Next(now) == &*ticket_; }

 private:
  HostLine& line_;
  std::string host_;
  std::list<Ticket>::iterator ticket_;
};

HostLine::Permit::Permit(HostLine* line, std::string host, std::shared_ptr<VisitGroup> group,
                         Clock& clock)
    : line_(line),
      host_(std::move(host)),
      group_(std::move(group)),
      clock_(&clock),
      began_(clock.Now()) {
}

HostLine::Permit::Permit(Permit&& other) noexcept
    : line_(std::exchange(other.line_, nullptr)),
      host_(std::move(other.host_)),
      group_(std::move(other.group_)),
      clock_(other.clock_),
      began_(other.began_) {
}

HostLine::Permit::~Permit() {
  if (line_ != nullptr) line_->Leave(host_, *group_, began_, clock_->Now());
}

HostLine::Host& HostLine::At(const std::string& host) {
  return hosts_[host];
}

Result<void> HostLine::Admits() const {
  if (waiting_ < limits_.max_waiting) return {};
  const auto each = std::chrono::duration_cast<milliseconds>(usual_visit_);
  const auto rounds = static_cast<std::int64_t>(waiting_ / limits_.at_once + 1);
  const auto wait = std::clamp<milliseconds>(each * rounds, kShortestReturn, kLongestReturn);
  return Fail(Error(ErrorCode::kQueueFull,
                    std::to_string(waiting_) + " pages wait to be read already",
                    {{"retry_after_ms", wait.count()}}));
}

bool HostLine::HasRoom(const Host& host) const {
  return host.running < limits_.per_host && running_ < limits_.at_once;
}

// A group that is busy does not keep others from the host.
const HostLine::Ticket* HostLine::ReadyIn(const Host& host) {
  const auto found = std::ranges::find_if(
      host.queue, [](const Ticket& one) { return one.group->running < one.group->at_once; });
  return found == host.queue.end() ? nullptr : &*found;
}

const HostLine::Ticket* HostLine::Next(TimePoint now) const {
  const Ticket* next = nullptr;
  std::uint64_t turn = 0;
  for (const auto& [name, host] : hosts_) {
    if (!HasRoom(host) || host.next > now) continue;
    const Ticket* ready = ReadyIn(host);
    if (ready == nullptr || (next != nullptr && host.turn >= turn)) continue;
    next = ready;
    turn = host.turn;
  }
  return next;
}

Task<Result<HostLine::Permit>> HostLine::Enter(CallContext ctx, std::string host,
                                               std::shared_ptr<VisitGroup> group) {
  {
    const Waiting waiting(*this, host, group);
    while (!waiting.IsNext(ctx.clock().Now())) {
      const TimePoint next = At(host).next;
      const bool waits_for_time = next > ctx.clock().Now();
      const CallContext bounded = waits_for_time ? ctx.WithDeadline(Deadline::At(next)) : ctx;
      const auto woken = co_await changes_.Until(
          bounded, [this, seen = changes_seen_] { return changes_seen_ != seen; }, "its turn");
      if (!woken) CO_TRY(ctx.StillWanted("its turn"));
    }
    Host& at = At(host);
    const TimePoint now = ctx.clock().Now();
    at.turn = ++turns_;
    at.next = std::max(at.next, now + std::max(at.delay.value_or(limits_.delay), limits_.delay));
    ++at.running;
    ++running_;
    ++group->running;
  }
  co_return Permit(this, std::move(host), std::move(group), ctx.clock());
}

void HostLine::Leave(const std::string& host, VisitGroup& group, TimePoint began, TimePoint now) {
  const Duration took = now - began;
  usual_visit_ = usual_visit_ == Duration::zero() ? took : (usual_visit_ * 7 + took) / 8;
  --At(host).running;
  --running_;
  --group.running;
  ForgetIdle(now);
  Changed();
}

void HostLine::SetDelay(const std::string& host, Duration delay) {
  At(host).delay = std::min(delay, limits_.max_delay);
}

void HostLine::Defer(const std::string& host, TimePoint now) {
  Host& at = At(host);
  const Duration longer = std::max<Duration>(at.deferral * 2, kFirstDeferral);
  at.deferral = std::min(longer, limits_.max_delay);
  at.next = std::max(at.next, now + at.deferral);
}

void HostLine::Restore(const std::string& host) {
  At(host).deferral = Duration::zero();
}

// What a host asked for is learnt again with its robots.txt; that it wants to be left alone is not.
void HostLine::ForgetIdle(TimePoint now) {
  if (hosts_.size() <= kMostHosts) return;
  std::erase_if(hosts_, [now](const auto& entry) {
    const Host& host = entry.second;
    return host.running == 0 && host.queue.empty() && host.next <= now;
  });
}

void HostLine::Changed() {
  ++changes_seen_;
  changes_.NotifyAll();
}

}  // namespace falconer::agent
