#pragma once
// HostLine: who may visit which host when. Visits to one host begin some time apart and are few at
// once; hosts take turns, so that many pages of one do not keep those of others waiting. On one
// event loop.

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/async/notifier.h"

namespace falconer::agent {

struct LineLimits {
  // Between the beginnings of two visits, and the most that a site can ask for.
  Duration delay{0};
  Duration max_delay{0};
  std::size_t per_host = 2;
  std::size_t at_once = 16;
  // While as many wait, nobody is admitted.
  std::size_t max_waiting = 200;
};

// Visits that belong together, and how many of them may run at once.
struct VisitGroup {
  std::size_t at_once = 1;
  std::size_t running = 0;
};

class HostLine {
 public:
  // The right to visit a host; given back when it goes. The line must outlive it.
  class Permit {
   public:
    Permit(Permit&& other) noexcept;
    Permit& operator=(Permit&&) = delete;
    ~Permit();

   private:
    friend class HostLine;
    Permit(HostLine* line, std::string host, std::shared_ptr<VisitGroup> group, Clock& clock);

    HostLine* line_;
    std::string host_;
    std::shared_ptr<VisitGroup> group_;
    Clock* clock_;
    TimePoint began_;
  };

  explicit HostLine(const LineLimits& limits) : limits_(limits) {}
  HostLine(const HostLine&) = delete;
  HostLine& operator=(const HostLine&) = delete;

  // kQueueFull, with when to come again, while too many wait.
  Result<void> Admits() const;
  // Waits for the turn of the host, of the group and of everybody. Fails like ctx.
  Task<Result<Permit>> Enter(CallContext ctx, std::string host, std::shared_ptr<VisitGroup> group);
  // What the site asks for; a shorter time than everybody's is not heeded.
  void SetDelay(const std::string& host, Duration delay);
  // The site had enough: nobody visits it for a while, longer each time until Restore().
  void Defer(const std::string& host, TimePoint now);
  void Restore(const std::string& host);

  std::size_t waiting() const { return waiting_; }
  std::size_t running() const { return running_; }

 private:
  struct Ticket {
    std::shared_ptr<VisitGroup> group;
  };
  struct Host {
    std::list<Ticket> queue;
    std::size_t running = 0;
    std::optional<Duration> delay;
    Duration deferral{0};
    TimePoint next{};
    // When it last had its turn, by count.
    std::uint64_t turn = 0;
  };
  class Waiting;

  Host& At(const std::string& host);
  // Whose turn it is; null for nobody's.
  const Ticket* Next(TimePoint now) const;
  static const Ticket* ReadyIn(const Host& host);
  bool HasRoom(const Host& host) const;
  void Leave(const std::string& host, VisitGroup& group, TimePoint began, TimePoint now);
  void ForgetIdle(TimePoint now);
  void Changed();

  LineLimits limits_;
  std::map<std::string, Host> hosts_;
  std::size_t waiting_ = 0;
  std::size_t running_ = 0;
  std::uint64_t turns_ = 0;
  // Counts what may have made it somebody's turn.
  std::uint64_t changes_seen_ = 0;
  // Of late.
  Duration usual_visit_{0};
  Notifier changes_;
};

}  // namespace falconer::agent
