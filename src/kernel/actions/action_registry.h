#pragma once
// ActionRegistry: has this contract been sent before? Of several at the same time one is carried
// out and the others get its answer; one that has ended is found in the index; one that was opened
// and never ended is found there too, because a crash came between.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/async/cancel.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "kernel/actions/seen_records.h"
#include "ledger/passed_records.h"
#include "store/control_store.h"

namespace falconer::kernel {

// What a contract was answered with, byte for byte.
using AnswerBytes = std::shared_ptr<const std::string>;

// A contract as the registry knows it.
struct ActionName {
  TenantId tenant;
  std::string scope;      // the workflow, or the run in it
  Sha256Digest digest{};  // of the contract
};

// What the index has of an action.
struct KnownAction {
  bool is_over = false;   // else it was opened, and nobody knows how it ended
  std::uint64_t seq = 0;  // of its last record in the tenant's chain
  TurnId turn;
  bool operator==(const KnownAction&) const = default;
};

class ActionRegistry {
 public:
  // The right to carry an action out. Whoever lets go of it without an answer leaves the action to
  // those who wait: a refusal is nobody else's answer. If its turn was opened they wait until the
  // index says so, and find out instead of carrying it out again.
  class Claim {
   public:
    Claim(Claim&&) noexcept = default;
    Claim& operator=(Claim&&) = delete;
    ~Claim();
    // Everybody who waits gets the answer, and so does whoever comes until the claim goes.
    void Finish(AnswerBytes answer);
    const ActionName& name() const { return name_; }

   private:
    friend class ActionRegistry;
    struct Flight;
    Claim(ActionRegistry* registry, ActionName name, std::shared_ptr<Flight> flight);
    ActionRegistry* registry_;
    ActionName name_;
    std::shared_ptr<Flight> flight_;
  };

  struct Standing {
    // Given when it is the caller's to carry out, or, if `known` is not over, to find out about.
    std::optional<Claim> claim;
    // What another caller who sent it at the same time was answered.
    AnswerBytes answer;
    std::optional<KnownAction> known;
  };

  // The store must outlive this, and this every claim.
  ActionRegistry(Executor executor, Clock& clock, store::ControlStore& store);
  ~ActionRegistry();
  ActionRegistry(const ActionRegistry&) = delete;
  ActionRegistry& operator=(const ActionRegistry&) = delete;

  // Waits while another caller carries the same action out. Fails like ctx and like the store.
  Task<Result<Standing>> Begin(CallContext ctx, ActionName name);

  // Whether Begin() would wait for another caller of this process.
  bool IsUnderWay(const ActionName& name) const;

  // Listens to what other processes append, so that the index stays complete beside them. Without
  // it, it is complete up to the first record of another, and the next start catches up.
  void Follow(std::shared_ptr<ledger::PassedFeed> feed);

  // Every record that this process appended to a chain must be told, with the action it is about if
  // any: only then is it known up to where the index is complete.
  void Saw(const TenantId& tenant, std::uint64_t seq);
  // The turn of a claim has a record. Written behind; the action stays in flight until the index
  // has it.
  void SawOpened(const Claim& claim, std::uint64_t seq, const TurnId& turn);
  void SawClosed(Claim claim, std::uint64_t seq, const TurnId& turn);

  // Waits until everything is in the index, and the index says so.
  Task<void> Stop();
  std::size_t in_flight() const { return flights_.size(); }

 private:
  using Flight = Claim::Flight;
  // Puts what the records say into the index; only then do they count as seen.
  static Task<bool> Put(ActionRegistry* self, ledger::PassedRecords records);
  static Task<void> PutOpened(ActionRegistry* self, ledger::PassedRecords records, ActionName name,
                              std::shared_ptr<Flight> flight);
  static Task<void> PutClosed(ActionRegistry* self, ledger::PassedRecords records, Claim claim);
  static Task<void> PutPassed(ActionRegistry* self, ledger::PassedRecords records);
  static ledger::PassedRecords RecordOf(const ActionName& name, store::ActionState state,
                                        std::uint64_t seq, const TurnId& turn);
  // What is seen of a chain, begun with what the index has of it.
  Task<Result<void>> KnowChain(TenantId tenant);
  void LetGo(const ActionName& name, const std::shared_ptr<Flight>& flight);

  Executor executor_;
  Clock& clock_;
  store::ControlStore& store_;
  std::map<std::string, std::shared_ptr<Claim::Flight>> flights_;
  std::map<TenantId, SeenRecords> seen_;
  std::set<TenantId> known_chains_;
  std::shared_ptr<ledger::PassedFeed> feed_;
  // What was posted and finds it gone came too late.
  std::shared_ptr<ActionRegistry*> self_ = std::make_shared<ActionRegistry*>(this);
  CancelSource stopping_;
  TaskScope tasks_;
};

}  // namespace falconer::kernel
