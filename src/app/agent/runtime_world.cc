#include "app/agent/runtime_world.h"

#include <algorithm>
#include <utility>

#include "engine/approvals/approval_desk.h"

namespace falconer::app {
namespace {

// For the turn that runs to end: it can do nothing any more, and has only to say so.
constexpr auto kChangeTime = std::chrono::seconds(30);

}  // namespace

RuntimeWorld::RuntimeWorld(engine::Runtime& runtime, browser::SessionKey key, Session session)
    : runtime_(runtime), key_(std::move(key)), session_(session) {
}

bool RuntimeWorld::IsAsking() const {
  const auto pending = runtime_.parts().control.approvals.Pending();
  return std::ranges::any_of(pending, [this](const model::ApprovalRequest& request) {
    return request.tenant == key_.tenant && request.workflow == key_.workflow;
  });
}

Subscription RuntimeWorld::OnAsking(std::function<void(bool is_asking)> tell) {
  return runtime_.parts().control.approvals.on_changed().Subscribe(
      [this, tell = std::move(tell)] { tell(IsAsking()); });
}

std::optional<std::string> RuntimeWorld::Driver() const {
  const auto takeover = runtime_.TakeoverOf(key_);
  return takeover ? std::optional(takeover->person) : std::nullopt;
}

std::int64_t RuntimeWorld::Epoch() const {
  return runtime_.SessionAside(key_)->Epoch().value_or(0);
}

Task<Result<void>> RuntimeWorld::TakeOver(CallContext ctx, engine::DriverChange change) {
  CO_TRY(co_await runtime_.TakeOver(ctx.WithTimeout(kChangeTime), key_, std::move(change)));
  co_return Result<void>();
}

Task<Result<void>> RuntimeWorld::HandBack(CallContext ctx, engine::DriverChange change) {
  CO_TRY(co_await runtime_.HandBack(ctx.WithTimeout(kChangeTime), key_, std::move(change)));
  co_return Result<void>();
}

Task<Result<void>> RuntimeWorld::UntilHandedBack(CallContext ctx) {
  // Every change of the driver is on record, whoever asked for it.
  const Subscription heard = runtime_.parts().ledger.OnAppend([this] { changes_.NotifyAll(); });
  co_return co_await changes_.Until(
      std::move(ctx), [this] { return !Driver(); }, "the session to be handed back");
}

Task<void> RuntimeWorld::Close(CallContext ctx) {
  if (session_ == Session::kOwn) co_await runtime_.Close(std::move(ctx), key_);
}

}  // namespace falconer::app
