#include "cdp/session.h"

#include <utility>

#include "cdp/connection.h"

namespace falconer::cdp {

// A command that acts, on its way out. It may wait for a full pipe longer than its session lives.
class Session::FencedCommand final : public Departure {
 public:
  FencedCommand(std::shared_ptr<const WriteFence> fence, std::weak_ptr<Session> session,
                std::int64_t id)
      : fence_(std::move(fence)), session_(std::move(session)), id_(id) {}

  bool MayLeave() override {
    const auto may = fence_->MayLeave();
    if (may) return true;
    if (const auto session = session_.lock()) session->Withdraw(id_, may.error());
    return false;
  }
  void DidLeave() override { fence_->DidLeave(); }

 private:
  std::shared_ptr<const WriteFence> fence_;
  std::weak_ptr<Session> session_;
  std::int64_t id_;
};

Session::Session(Connection& connection, std::string id, TargetInfo target)
    : connection_(connection),
      executor_(connection.executor()),
      clock_(connection.clock()),
      command_timeout_(connection.command_timeout()),
      id_(std::move(id)),
      target_(std::move(target)) {
}

Session::~Session() = default;

Subscription Session::OnClosed(std::function<void(const Error&)> handler) {
  return on_closed_.Subscribe(std::move(handler));
}

Subscription Session::OnRaw(std::string_view method,
                            std::function<void(const json::object&)> handler) {
  return events_[method].Subscribe(std::move(handler));
}

void Session::Dispatch(std::shared_ptr<PendingCall> call, json::object params,
                       std::shared_ptr<const WriteFence> fence) {
  if (closed_) return call->Fail(*closed_);
  if (blocked_ && call->command_class() != CommandClass::kBrowser) return call->Fail(*blocked_);
  const auto id = connection_.NextCommandId();
  const std::string_view method = call->method();
  std::unique_ptr<Departure> departure;
  if (fence) {
    // Asked here too: behind a full pipe it would learn of the refusal only when the pipe moves.
    if (const auto may = fence->MayLeave(); !may) return call->Fail(may.error());
    departure = std::make_unique<FencedCommand>(std::move(fence), weak_from_this(), id);
  }
  // Listed before it is written: should writing end the connection, the call must fail with it.
  calls_.emplace(id, std::move(call));
  const auto posted = connection_.Post({.id = id, .session_id = id_, .method = method},
                                       std::move(params), std::move(departure));
  if (!posted) Withdraw(id, posted.error());
}

void Session::Withdraw(std::int64_t id, const Error& why) {
  if (auto call = calls_.extract(id)) call.mapped()->Fail(why);
}

void Session::NoteMalformed(std::string_view method, std::string_view field) {
  connection_.NoteMalformed(method, field);
}

void Session::Emit(std::string_view method, const json::object& params) {
  const auto found = events_.find(method);
  if (found != events_.end()) found->second.Emit(params);
}

void Session::InterruptCalls(const Error& reason) {
  std::vector<std::shared_ptr<PendingCall>> hit;
  std::erase_if(calls_, [&](auto& entry) {
    if (entry.second->command_class() == CommandClass::kBrowser) return false;
    hit.push_back(std::move(entry.second));
    return true;
  });
  for (const auto& call : hit) call->Fail(reason);
}

void Session::Block(const Error& reason) {
  blocked_ = reason;
  InterruptCalls(reason);
}

void Session::Unblock(ErrorCode reason) {
  if (blocked_ && blocked_->code() == reason) blocked_.reset();
}

void Session::Close(const Error& reason) {
  if (closed_) return;
  closed_ = reason;
  for (const auto& [id, call] : std::exchange(calls_, {})) call->Fail(reason);
  on_closed_.Emit(reason);
}

}  // namespace falconer::cdp
