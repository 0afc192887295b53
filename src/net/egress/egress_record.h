#pragma once
// EgressRecord: one request or tunnel on the books: its bytes are counted here, and however it
// ends, the observer hears of it.

#include <memory>
#include <string>

#include "net/egress/egress_connection.h"
#include "net/egress/egress_refusal.h"

namespace falconer::net {

class EgressRecord {
 public:
  EgressRecord(const EgressKit& kit, const Clock& clock, std::shared_ptr<EgressSession> session,
               std::string method);
  // Tells the observer; kCancelled when nothing else was said.
  ~EgressRecord();
  EgressRecord(const EgressRecord&) = delete;
  EgressRecord& operator=(const EgressRecord&) = delete;

  void SetAsk(EgressKind kind, std::string host, std::uint16_t port);
  const EgressAsk& ask() const { return event_.ask; }
  EgressSession& session() const { return *session_; }

  // The host is connected; `address` is nothing when another proxy chooses it.
  void Opened(std::optional<boost::asio::ip::address> address);
  // Whether the bytes may pass.
  bool MaySend(std::uint64_t bytes);
  bool MayTake(std::uint64_t bytes);

  // Only the first outcome counts.
  void End(EgressOutcome outcome, int status, std::string reason = {});
  void End(const EgressRefusal& refusal);

 private:
  void Tell();

  const EgressKit& kit_;
  const Clock& clock_;
  std::shared_ptr<EgressSession> session_;
  TimePoint started_;
  EgressEvent event_;
  bool is_told_ = false;
};

}  // namespace falconer::net
