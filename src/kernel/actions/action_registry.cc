#include "kernel/actions/action_registry.h"

#include <utility>

#include <boost/asio/post.hpp>

#include "base/log.h"

namespace falconer::kernel {
namespace {

// The index is written again after this pause when the disk refused it.
constexpr auto kAgain = std::chrono::seconds(1);

// The parts have no byte 0 in them.
std::string TextOf(const ActionName& name) {
  std::string text = name.tenant.value() + '\0' + name.scope + '\0';
  text.append(name.digest.begin(), name.digest.end());
  return text;
}

store::ActionKey KeyOf(const ActionName& name) {
  return {.tenant = name.tenant, .scope = name.scope, .action_id = name.digest};
}

}  // namespace

struct ActionRegistry::Claim::Flight {
  AnswerBytes answer;
  bool is_over = false;
  bool is_let_go = false;  // nobody has the claim any more
  int unindexed = 0;       // records of its turn that the index does not have yet
  Notifier changes;
};

ActionRegistry::Claim::Claim(ActionRegistry* registry, ActionName name,
                             std::shared_ptr<Flight> flight)
    : registry_(registry), name_(std::move(name)), flight_(std::move(flight)) {
}

ActionRegistry::Claim::~Claim() {
  if (!flight_) return;
  flight_->is_let_go = true;
  registry_->LetGo(name_, flight_);
}

void ActionRegistry::Claim::Finish(AnswerBytes answer) {
  flight_->answer = std::move(answer);
  flight_->changes.NotifyAll();
}

ActionRegistry::ActionRegistry(Executor executor, Clock& clock, store::ControlStore& store)
    : executor_(std::move(executor)), clock_(clock), store_(store), tasks_(executor_) {
}

ActionRegistry::~ActionRegistry() {
  if (feed_) feed_->Listen({});
}

void ActionRegistry::Follow(std::shared_ptr<ledger::PassedFeed> feed) {
  feed_ = std::move(feed);
  feed_->Listen([executor = executor_,
                 self = std::weak_ptr<ActionRegistry*>(self_)](ledger::PassedRecords records) {
    boost::asio::post(executor, [self, records = std::move(records)]() mutable {
      const auto registry = self.lock();
      if (!registry) return;
      (*registry)->tasks_.Spawn("actions.passed", PutPassed(*registry, std::move(records)));
    });
  });
}

Task<void> ActionRegistry::Stop() {
  // A disk that says no is not waited for: whoever starts next catches up.
  stopping_.Cancel(Error(ErrorCode::kSessionClosed, "the program stops"));
  co_await tasks_.Join();
  for (const auto& [tenant, seen] : seen_) {
    const auto put = co_await store_.PutActions(
        {.actions = {}, .chain = tenant.value(), .indexed_seq = seen.complete()});
    if (!put) LOG(warn, "actions.not_indexed", {"chain", tenant.value()});
  }
}

void ActionRegistry::LetGo(const ActionName& name, const std::shared_ptr<Flight>& flight) {
  if (!flight->is_let_go || flight->unindexed > 0) return;
  flights_.erase(TextOf(name));
  flight->is_over = true;
  flight->changes.NotifyAll();
}

Task<Result<void>> ActionRegistry::KnowChain(TenantId tenant) {
  if (known_chains_.contains(tenant)) co_return Result<void>();
  CO_TRY_ASSIGN(const std::uint64_t indexed, co_await store_.IndexedSeq(tenant.value()));
  if (indexed > 0) seen_[tenant].Add(1, indexed);
  known_chains_.insert(std::move(tenant));
  co_return Result<void>();
}

Task<Result<ActionRegistry::Standing>> ActionRegistry::Begin(CallContext ctx, ActionName name) {
  CO_TRY(co_await KnowChain(name.tenant));
  const std::string text = TextOf(name);
  for (auto found = flights_.find(text); found != flights_.end(); found = flights_.find(text)) {
    const std::shared_ptr<Flight> flight = found->second;
    CO_TRY(co_await flight->changes.Until(
        ctx, [&flight] { return flight->answer || flight->is_over; },
        "the same action of another caller"));
    if (flight->answer) co_return Standing{.claim = {}, .answer = flight->answer, .known = {}};
  }
  // In flight from here on: whoever asks while the index is looked at waits for us.
  const auto flight = std::make_shared<Flight>();
  flights_.emplace(text, flight);
  Standing standing{.claim = Claim(this, name, flight), .answer = {}, .known = {}};
  CO_TRY_ASSIGN(const auto known, co_await store_.FindAction(KeyOf(name)));
  if (!known) co_return standing;
  const bool is_over = known->state == store::ActionState::kTerminal;
  standing.known = KnownAction{.is_over = is_over, .seq = known->seq, .turn = known->turn};
  if (is_over) standing.claim.reset();
  co_return standing;
}

bool ActionRegistry::IsUnderWay(const ActionName& name) const {
  return flights_.contains(TextOf(name));
}

void ActionRegistry::Saw(const TenantId& tenant, std::uint64_t seq) {
  seen_[tenant].Add(seq, seq);
}

ledger::PassedRecords ActionRegistry::RecordOf(const ActionName& name, store::ActionState state,
                                               std::uint64_t seq, const TurnId& turn) {
  return {.tenant = name.tenant,
          .first = seq,
          .last = seq,
          .actions = {{.key = KeyOf(name), .state = state, .seq = seq, .turn = turn}}};
}

void ActionRegistry::SawOpened(const Claim& claim, std::uint64_t seq, const TurnId& turn) {
  ++claim.flight_->unindexed;
  auto record = RecordOf(claim.name(), store::ActionState::kOpen, seq, turn);
  tasks_.Spawn("actions.opened", PutOpened(this, std::move(record), claim.name(), claim.flight_));
}

void ActionRegistry::SawClosed(Claim claim, std::uint64_t seq, const TurnId& turn) {
  auto record = RecordOf(claim.name(), store::ActionState::kTerminal, seq, turn);
  tasks_.Spawn("actions.closed", PutClosed(this, std::move(record), std::move(claim)));
}

// Until the index has it the action is in flight, even if whoever carried it out is gone.
Task<void> ActionRegistry::PutOpened(ActionRegistry* self, ledger::PassedRecords records,
                                     ActionName name, std::shared_ptr<Flight> flight) {
  if (!co_await Put(self, std::move(records))) co_return;
  --flight->unindexed;
  self->LetGo(name, flight);
}

// Until the index has it the claim answers for it.
Task<void> ActionRegistry::PutClosed(ActionRegistry* self, ledger::PassedRecords records,
                                     Claim /*claim*/) {
  co_await Put(self, std::move(records));
}

Task<void> ActionRegistry::PutPassed(ActionRegistry* self, ledger::PassedRecords records) {
  // The next one that has something to put says how far the index goes.
  if (records.actions.empty()) {
    self->seen_[records.tenant].Add(records.first, records.last);
    co_return;
  }
  co_await Put(self, std::move(records));
}

Task<bool> ActionRegistry::Put(ActionRegistry* self, ledger::PassedRecords records) {
  const CallContext ctx =
      CallContext(self->executor_, self->clock_).WithCancel(self->stopping_.token());
  SeenRecords& seen = self->seen_[records.tenant];
  store::ActionBatch batch{
      .actions = std::move(records.actions), .chain = records.tenant.value(), .indexed_seq = 0};
  while (true) {
    // One transaction puts them and says so.
    batch.indexed_seq = seen.CompleteWith(records.first, records.last);
    const auto put = co_await self->store_.PutActions(batch);
    if (put) break;
    LOG(warn, "actions.not_indexed", {"chain", batch.chain}, {"why", put.error().message()});
    Alarm never(self->executor_, self->clock_);
    const auto rested = co_await ctx.WithTimeout(kAgain).Wait(&never, "a pause");
    if (!rested && rested.error().code() != ErrorCode::kTimeout) co_return false;
  }
  seen.Add(records.first, records.last);
  co_return true;
}

}  // namespace falconer::kernel
