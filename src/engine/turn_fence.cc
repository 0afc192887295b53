#include "engine/turn_fence.h"

#include <utility>

#include "base/log.h"

namespace falconer::engine {
namespace {

// The kernel's ticket, as the writer of the protocol asks for it.
class TicketFence final : public cdp::WriteFence {
 public:
  explicit TicketFence(kernel::FenceTicket ticket) : ticket_(std::move(ticket)) {}
  Result<void> MayLeave() const override { return ticket_.Check(); }
  void DidLeave() const override { ticket_.DidLeave(); }

 private:
  kernel::FenceTicket ticket_;
};

std::int64_t Microseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
}

}  // namespace

kernel::FenceKey SessionScope(const SessionId& session) {
  return {.scope = model::CancelScope::kSession, .id = session.value()};
}

TurnFence::TurnFence(kernel::CancelFence& fence, const TurnId& turn, kernel::FenceTicket ticket)
    : fence_(fence),
      key_{.scope = model::CancelScope::kTurn, .id = turn.value()},
      ticket_(std::move(ticket)) {
}

Result<std::unique_ptr<TurnFence>> TurnFence::Open(kernel::CancelFence& fence,
                                                   const SessionId& session, const TurnId& turn,
                                                   const CancelToken& wanted) {
  const kernel::FenceKey key{.scope = model::CancelScope::kTurn, .id = turn.value()};
  TRY_ASSIGN(auto ticket, fence.Open(key, SessionScope(session)));
  std::unique_ptr<TurnFence> opened(new TurnFence(fence, turn, std::move(ticket)));
  opened->called_off_ = wanted.OnCancel([&fence, key, session, wanted] {
    const auto accepted = fence.Accept(key, std::string(wanted.Check().error().message()));
    if (!accepted) {
      LOG(warn, "fence.not_accepted", {"session", session.value()}, {"turn", key.id},
          {"why", accepted.error().message()});
    }
  });
  return opened;
}

TurnFence::~TurnFence() {
  called_off_ = {};
  fence_.End(key_);
  if (guarded_) guarded_->SetFence(nullptr);
}

void TurnFence::Guard(std::shared_ptr<browser::Session> browser) {
  guarded_ = std::move(browser);
  guarded_->SetFence(std::make_shared<TicketFence>(ticket_));
}

json::object ToJson(const kernel::FenceReport& report) {
  json::object out{{"reason", std::string_view(report.reason)},
                   {"refused", report.refused},
                   {"left", report.left}};
  if (report.last_refused) out["last_refused_us"] = Microseconds(*report.last_refused);
  if (report.last_left) out["last_left_us"] = Microseconds(*report.last_left);
  return out;
}

}  // namespace falconer::engine
