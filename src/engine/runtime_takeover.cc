// Who drives a session: agents, or a person who has taken over.

#include <fmt/format.h>
#include <utility>

#include "base/log.h"
#include "engine/runtime.h"

namespace falconer::engine {
namespace {

// Gives the next one who wants to drive his chance, however the coroutine ends.
class ChangingDriver {
 public:
  explicit ChangingDriver(WorkflowSession& session) : session_(session) {
    session_.is_changing_driver = true;
  }
  ~ChangingDriver() { session_.is_changing_driver = false; }
  ChangingDriver(const ChangingDriver&) = delete;
  ChangingDriver& operator=(const ChangingDriver&) = delete;

 private:
  WorkflowSession& session_;
};

Error TakenOver(const std::string& person) {
  return {ErrorCode::kStaleEpoch,
          person + " has taken over the session",
          {{"reason", "taken_over"}, {"taken_over_by", person}}};
}

Error HandedBack(const std::string& person) {
  return {ErrorCode::kStaleEpoch,
          person + " has handed the session back",
          {{"reason", "handed_back"}, {"handed_back_by", person}}};
}

Error NoSession(const browser::SessionKey& key) {
  return {ErrorCode::kNotFound, "there is no session " + key.workflow.value()};
}

Error BeingChanged() {
  return {ErrorCode::kAlreadyExists, "who drives the session is being changed"};
}

}  // namespace

Task<Result<std::int64_t>> Runtime::ChangeDriver(CallContext ctx,
                                                 std::shared_ptr<WorkflowSession> session,
                                                 Error why,
                                                 std::function<void(std::int64_t epoch)> set) {
  const ChangingDriver changing(*session);
  CO_TRY_ASSIGN(const std::int64_t epoch, co_await parts_.leases.Raise(session->id));
  CO_TRY(session->authority.token().Check());
  // From here to the next wait nobody else runs: old and new never drive together.
  session->lease = epoch;
  set(epoch);
  std::exchange(session->driving, CancelSource()).Cancel(why);
  co_await session->holds->CallOff(why);
  CO_TRY(co_await session->changes.Until(
      std::move(ctx), [session] { return !session->turns.is_busy(); }, "the turn to end"));
  co_return epoch;
}

Task<void> Runtime::NoteDriver(std::shared_ptr<WorkflowSession> session, json::object change) {
  co_await Note(session->key.tenant, {.kind = ledger::RecordKind::kDecision,
                                      .payload = {{"workflow", session->key.workflow.value()},
                                                  {"session", session->id.value()},
                                                  {"driver", std::move(change)}}});
}

Task<Result<Takeover>> Runtime::TakeOver(CallContext ctx, browser::SessionKey key,
                                         DriverChange change) {
  const auto found = sessions_.find(key);
  if (found == sessions_.end() || !found->second->Epoch() || found->second->is_closing)
    co_return Fail(NoSession(key));
  const auto session = SessionAside(key);
  if (session->is_changing_driver) co_return Fail(BeingChanged());
  if (session->takeover && session->takeover->person == change.person) co_return *session->takeover;
  if (session->takeover) {
    co_return Fail(Error(ErrorCode::kAlreadyExists,
                         session->takeover->person + " has taken over the session already",
                         {{"taken_over_by", session->takeover->person}}));
  }
  Takeover takeover{.person = change.person,
                    .reason = change.reason,
                    .since = clock_.WallNow(),
                    .agents_epoch = *session->Epoch()};
  const auto changed = co_await ChangeDriver(std::move(ctx), session, TakenOver(change.person),
                                             [&](std::int64_t epoch) {
                                               takeover.epoch = epoch;
                                               session->takeover = takeover;
                                             });
  // On record as soon as it is so, also when what ran does not end in time.
  if (takeover.epoch > 0) {
    LOG(info, "session.taken_over", {"workflow", key.workflow.value()}, {"epoch", takeover.epoch});
    co_await NoteDriver(session, {{"person", change.person},
                                  {"reason", change.reason},
                                  {"epoch", takeover.epoch},
                                  {"agents_epoch", takeover.agents_epoch}});
  }
  CO_TRY(changed);
  co_return takeover;
}

Task<Result<std::int64_t>> Runtime::HandBack(CallContext ctx, browser::SessionKey key,
                                             DriverChange change) {
  const auto found = sessions_.find(key);
  if (found == sessions_.end()) co_return Fail(NoSession(key));
  const auto session = SessionAside(key);
  if (session->is_changing_driver) co_return Fail(BeingChanged());
  if (!session->takeover)
    co_return Fail(ErrorCode::kNotFound, "nobody has taken over session " + key.workflow.value());
  std::int64_t raised = 0;
  const auto changed = co_await ChangeDriver(std::move(ctx), session, HandedBack(change.person),
                                             [&](std::int64_t epoch) {
                                               raised = epoch;
                                               session->takeover.reset();
                                             });
  // On record as soon as it is so, also when what ran does not end in time.
  if (raised > 0) {
    LOG(info, "session.handed_back", {"workflow", key.workflow.value()}, {"epoch", raised});
    co_await NoteDriver(session, {{"agents", true},
                                  {"person", change.person},
                                  {"reason", change.reason},
                                  {"epoch", raised}});
  }
  co_return changed;
}

std::optional<Takeover> Runtime::TakeoverOf(const browser::SessionKey& key) const {
  const auto found = sessions_.find(key);
  return found == sessions_.end() ? std::nullopt : found->second->takeover;
}

Result<void> Runtime::CheckNotTaken(const browser::SessionKey& key) const {
  const auto takeover = TakeoverOf(key);
  if (takeover) return Fail(TakenOver(takeover->person));
  return {};
}

}  // namespace falconer::engine
