#pragma once
// ChainWriter: the one writer of a chain in this process. It has a thread of its own that commits
// all appends that wait together with one write and one sync; each caller is answered once its
// record is durable. Other processes may write the chain too: each takes a turn for a commit, and
// first takes up what the others wrote since its last one.
//
// Failures: a full disk refuses the appends that met it and nothing else; after a sync that failed
// the chain is opened and checked anew before the next append; a process that keeps its turn
// refuses what waits for it; a damaged chain refuses everything until a person has looked at it.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "base/async/task.h"
#include "ledger/chain_lock.h"
#include "ledger/open_chain.h"
#include "ledger/passed_records.h"
#include "store/chain_head.h"

namespace falconer::ledger {

// Told the newest head after each commit, on the writer's thread; must not block.
using HeadSink = std::function<void(store::ChainHead head)>;

struct ChainWriterInput {
  ChainPaths paths;
  TenantId tenant;
  // What the control store remembers of the chain.
  std::optional<store::ChainHead> known;
  HeadSink on_head;
  // Up to which record the index of actions goes. Those behind it that this process did not append
  // are told, on the writer's thread, once they are durable; must not block. May be empty.
  std::uint64_t indexed = 0;
  std::function<void(PassedRecords records)> on_passed;
};

class ChainWriter {
 public:
  // Starts the thread, which opens the chain. `key`, `clock` and `layer` MUST outlive the writer,
  // and so must the executors of its callers.
  ChainWriter(ChainWriterInput input, ChainOptions options, const SigningKey& key, Clock& clock,
              FileLayer& layer);
  // Finishes what is queued and signs a last checkpoint.
  ~ChainWriter();
  ChainWriter(const ChainWriter&) = delete;
  ChainWriter& operator=(const ChainWriter&) = delete;

  // From any thread. kQueueFull when too many wait; kTimeout when another process does not let go
  // of the chain; kIoError, kLedgerDamaged.
  Task<Result<Receipt>> Append(PreparedRecord record);
  // A checkpoint that covers everything appended before the call. Also kNotFound for an empty
  // chain.
  Task<Result<Checkpoint>> AddCheckpoint();

 private:
  struct Order {
    // Empty asks for a checkpoint.
    std::optional<PreparedRecord> record;
    std::move_only_function<void(Result<Receipt>)> on_record;
    std::move_only_function<void(Result<Checkpoint>)> on_checkpoint;

    void Refuse(const Error& error);
  };
  enum class Wake { kOrders, kCheckpointDue, kStop };

  Result<void> Push(Order order);
  void Loop();
  Wake Await(std::vector<Order>& orders);
  void TakeOrders(std::vector<Order>& orders);
  void Gather(std::unique_lock<std::mutex>& lock);
  void Serve(std::vector<Order> orders);
  void Commit(std::vector<Order> orders);
  void AnswerCheckpoint(Order order);
  Result<std::vector<Receipt>> CommitRecords(std::span<const PreparedRecord> records);
  // The turn to write, with the chain as it is now.
  Result<ChainLock::Turn> Enter();
  Result<void> EnsureLock();
  Result<void> MakeCurrent();
  Result<void> OpenAnew();
  Result<void> NoteDamage(Error error);
  void Pass(const RecordView& record);
  // False when they were told before, or nobody wants to know.
  bool PassUpTo(std::uint64_t seq);
  void TellPassed();
  bool IsCheckpointDue() const;
  enum class CheckpointIf { kDue, kAny };
  void TryCheckpoint(CheckpointIf when);
  void AddCheckpointNow();
  void MendIfBroken();
  void TellHead();

  const ChainWriterInput input_;
  const ChainOptions options_;
  const SigningKey& key_;
  Clock& clock_;
  FileLayer& layer_;

  // The thread's own.
  std::optional<ChainLock> lock_;
  std::unique_ptr<OpenChain> chain_;
  std::optional<Error> damage_;
  std::optional<KnownHead> own_head_;  // the newest record that this process knows
  std::string refused_;                // see RecoveryInput
  std::uint64_t told_;                 // every record up to here has been told to somebody
  PassedRecords passed_;
  std::size_t last_batch_ = 0;
  std::chrono::steady_clock::duration last_commit_{};
  std::optional<std::chrono::steady_clock::time_point> checkpoint_due_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> queue_;
  bool is_stopping_ = false;
  std::jthread thread_;
};

}  // namespace falconer::ledger
