#include "net/egress/egress_record.h"

#include <utility>

namespace falconer::net {

EgressRecord::EgressRecord(const EgressKit& kit, const Clock& clock,
                           std::shared_ptr<EgressSession> session, std::string method)
    : kit_(kit), clock_(clock), session_(std::move(session)), started_(clock.Now()) {
  event_.number = ++*kit.last_event;
  event_.ask.session = session_->id;
  event_.ask.method = std::move(method);
  event_.began = clock.WallNow();
  ++session_->counts.requests;
}

EgressRecord::~EgressRecord() {
  if (event_.outcome == EgressOutcome::kOpen) event_.outcome = EgressOutcome::kCancelled;
  Tell();
}

void EgressRecord::Tell() {
  if (std::exchange(is_told_, true)) return;
  if (event_.outcome == EgressOutcome::kRefused) ++session_->counts.refused;
  event_.took = clock_.Now() - started_;
  kit_.observer.OnEnded(event_);
}

void EgressRecord::SetAsk(EgressKind kind, std::string host, std::uint16_t port) {
  event_.ask.kind = kind;
  event_.ask.host = std::move(host);
  event_.ask.port = port;
}

void EgressRecord::Opened(std::optional<boost::asio::ip::address> address) {
  event_.address = address;
  kit_.observer.OnOpened(event_);
}

bool EgressRecord::MaySend(std::uint64_t bytes) {
  event_.bytes_up += bytes;
  session_->counts.bytes_up += bytes;
  kit_.observer.OnMoved(event_);
  return !session_->IsOverdrawn();
}

bool EgressRecord::MayTake(std::uint64_t bytes) {
  event_.bytes_down += bytes;
  session_->counts.bytes_down += bytes;
  kit_.observer.OnMoved(event_);
  return !session_->IsOverdrawn();
}

void EgressRecord::End(EgressOutcome outcome, int status, std::string reason) {
  if (event_.outcome != EgressOutcome::kOpen) return;
  event_.outcome = outcome;
  event_.status = status;
  event_.reason = std::move(reason);
}

void EgressRecord::End(const EgressRefusal& refusal) {
  if (event_.outcome != EgressOutcome::kOpen) return;
  End(refusal.outcome, refusal.status, refusal.reason);
  event_.rule = refusal.rule;
  event_.decision = refusal.decision;
  // Whoever sees the answer and asks why must find it on the books.
  Tell();
}

}  // namespace falconer::net
