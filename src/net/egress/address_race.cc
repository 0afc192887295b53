#include "net/egress/address_race.h"

#include <list>
#include <memory>
#include <utility>

#include <boost/asio/steady_timer.hpp>

#include "base/async/one_shot.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// Kept alive by the attempts that are under way.
class AddressRace : public std::enable_shared_from_this<AddressRace> {
 public:
  AddressRace(const CallContext& ctx, DialPlan plan)
      : ctx_(ctx), plan_(std::move(plan)), stagger_(ctx.executor()), ended_(ctx) {}
  ~AddressRace() { ctx_.clock().Disarm(stagger_); }
  AddressRace(const AddressRace&) = delete;
  AddressRace& operator=(const AddressRace&) = delete;

  void TryNext() {
    if (is_over_ || next_ == plan_.addresses.size()) return;
    const tcp::endpoint endpoint(plan_.addresses[next_++], plan_.port);
    const auto at = attempts_.emplace(attempts_.end(), ctx_.executor());
    at->async_connect(
        endpoint, [self = shared_from_this(), at](const auto& code) { self->OnTried(at, code); });
    if (next_ < plan_.addresses.size()) TryNextLater();
  }

  Task<Result<tcp::socket>> Winner() {
    CO_TRY_ASSIGN(auto winner, co_await ended_.Wait(ctx_, "a connection"));
    co_return winner;
  }

  void End() {
    is_over_ = true;
    stagger_.cancel();
    boost::system::error_code ignored;
    for (tcp::socket& attempt : attempts_) attempt.close(ignored);
  }

 private:
  void TryNextLater() {
    ctx_.clock().Disarm(stagger_);
    ctx_.clock().Arm(stagger_, ctx_.clock().Now() + plan_.next_after);
    stagger_.async_wait([self = shared_from_this()](const boost::system::error_code& code) {
      if (!code) self->TryNext();
    });
  }

  void OnTried(std::list<tcp::socket>::iterator at, const boost::system::error_code& code) {
    tcp::socket socket = std::move(*at);
    attempts_.erase(at);
    if (is_over_) return;
    if (!code) {
      End();
      ended_.Set(std::move(socket));
    } else if (next_ < plan_.addresses.size()) {
      TryNext();
    } else if (attempts_.empty()) {
      ended_.Set(Fail(ErrorCode::kNetworkError, "connect: " + code.message()));
    }
  }

  CallContext ctx_;
  DialPlan plan_;
  asio::steady_timer stagger_;
  std::list<tcp::socket> attempts_;
  OneShot<Result<tcp::socket>> ended_;
  std::size_t next_ = 0;
  bool is_over_ = false;
};

// However the wait ends, no attempt goes on.
class RaceEnd {
 public:
  explicit RaceEnd(AddressRace& race) : race_(race) {}
  ~RaceEnd() { race_.End(); }
  RaceEnd(const RaceEnd&) = delete;
  RaceEnd& operator=(const RaceEnd&) = delete;

 private:
  AddressRace& race_;
};

}  // namespace

Task<Result<tcp::socket>> DialAddresses(CallContext ctx, DialPlan plan) {
  if (plan.addresses.empty()) co_return Fail(ErrorCode::kNetworkError, "no address to connect to");
  const auto race = std::make_shared<AddressRace>(ctx, std::move(plan));
  const RaceEnd end(*race);
  race->TryNext();
  auto winner = co_await race->Winner();
  if (winner) {
    boost::system::error_code ignored;
    winner->set_option(tcp::no_delay(true), ignored);
  }
  co_return winner;
}

}  // namespace falconer::net
