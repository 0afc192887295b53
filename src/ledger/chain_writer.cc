#include "ledger/chain_writer.h"

#include <fcntl.h>
#include <system_error>

#include "base/async/reply.h"
#include "base/log.h"
#include "ledger/action_catch_up.h"
#include "ledger/chain_file.h"

namespace falconer::ledger {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Longer than this nobody waits for others to join a commit.
constexpr auto kLongestGathering = std::chrono::microseconds(500);

// After a failed sync memory may show what the disk never got: read the disk itself.
void ForgetCached(const std::filesystem::path& path) {
  const Result<UniqueFd> fd = OpenChainFile(path);
  if (fd) (void)::posix_fadvise(fd->get(), 0, 0, POSIX_FADV_DONTNEED);
}

}  // namespace

ChainWriter::ChainWriter(ChainWriterInput input, ChainOptions options, const SigningKey& key,
                         Clock& clock, FileLayer& layer)
    : input_(std::move(input)),
      options_(std::move(options)),
      key_(key),
      clock_(clock),
      layer_(layer),
      told_(input_.indexed),
      thread_([this] { Loop(); }) {
}

ChainWriter::~ChainWriter() {
  {
    const std::scoped_lock lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Task<Result<Receipt>> ChainWriter::Append(PreparedRecord record) {
  const Reply<Result<Receipt>> reply(co_await boost::asio::this_coro::executor);
  Order order;
  order.record = std::move(record);
  order.on_record = [reply](Result<Receipt> receipt) { reply.Set(std::move(receipt)); };
  CO_TRY(Push(std::move(order)));
  co_return co_await reply.Wait();
}

Task<Result<Checkpoint>> ChainWriter::AddCheckpoint() {
  const Reply<Result<Checkpoint>> reply(co_await boost::asio::this_coro::executor);
  Order order;
  order.on_checkpoint = [reply](Result<Checkpoint> made) { reply.Set(std::move(made)); };
  CO_TRY(Push(std::move(order)));
  co_return co_await reply.Wait();
}

Result<void> ChainWriter::Push(Order order) {
  {
    const std::scoped_lock lock(mutex_);
    if (queue_.size() >= options_.queue_bound) {
      return Fail(ErrorCode::kQueueFull,
                  "the ledger has " + std::to_string(queue_.size()) + " records waiting");
    }
    queue_.push_back(std::move(order));
  }
  changed_.notify_one();
  return {};
}

void ChainWriter::Loop() {
  // What is wrong is known before the first append, and the first append need not wait for it.
  if (const auto turn = Enter(); !turn) {
    LOG(error, "ledger.open", {"tenant", input_.tenant.value()}, {"error", Describe(turn.error())});
  }
  for (;;) {
    std::vector<Order> orders;
    const Wake wake = Await(orders);
    if (!orders.empty()) Serve(std::move(orders));
    if (wake == Wake::kCheckpointDue) TryCheckpoint(CheckpointIf::kDue);
    if (wake == Wake::kStop) break;
  }
  TryCheckpoint(CheckpointIf::kAny);
}

// The timer runs on the machine's clock: it bounds what is unsigned, nothing else hangs on it.
ChainWriter::Wake ChainWriter::Await(std::vector<Order>& orders) {
  std::unique_lock lock(mutex_);
  const auto has_work = [this] { return is_stopping_ || !queue_.empty(); };
  if (!checkpoint_due_) {
    changed_.wait(lock, has_work);
  } else if (!changed_.wait_until(lock, *checkpoint_due_, has_work)) {
    return Wake::kCheckpointDue;
  }
  Gather(lock);
  TakeOrders(orders);
  last_batch_ = orders.size();
  return orders.empty() ? Wake::kStop : Wake::kOrders;
}

// Those who were answered together mostly come again together: a moment's patience puts them into
// one commit instead of two. One who appends alone never waits.
void ChainWriter::Gather(std::unique_lock<std::mutex>& lock) {
  if (queue_.size() >= last_batch_) return;
  const auto patience = std::min<SteadyClock::duration>(last_commit_ / 4, kLongestGathering);
  changed_.wait_for(lock, patience,
                    [this] { return is_stopping_ || queue_.size() >= last_batch_; });
}

void ChainWriter::TakeOrders(std::vector<Order>& orders) {
  std::size_t bytes = 0;
  while (!queue_.empty() && orders.size() < options_.batch_records &&
         bytes < options_.batch_bytes) {
    if (queue_.front().record) bytes += queue_.front().record->payload.size();
    orders.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
}

// A checkpoint covers what was asked for before it: the records of the batch go first.
void ChainWriter::Serve(std::vector<Order> orders) {
  const auto start = SteadyClock::now();
  const Result<ChainLock::Turn> turn = Enter();
  if (!turn) {
    for (Order& order : orders) order.Refuse(turn.error());
    return;
  }
  std::vector<Order> records;
  std::vector<Order> checkpoints;
  for (Order& order : orders) {
    (order.record ? records : checkpoints).push_back(std::move(order));
  }
  if (!records.empty()) Commit(std::move(records));
  for (Order& order : checkpoints) AnswerCheckpoint(std::move(order));
  last_commit_ = SteadyClock::now() - start;
  if (IsCheckpointDue()) AddCheckpointNow();
}

void ChainWriter::Order::Refuse(const Error& error) {
  if (record) {
    on_record(Fail(error));
  } else {
    on_checkpoint(Fail(error));
  }
}

void ChainWriter::Commit(std::vector<Order> orders) {
  std::vector<PreparedRecord> records;
  records.reserve(orders.size());
  for (Order& order : orders) records.push_back(*std::move(order.record));
  const Result<std::vector<Receipt>> receipts = CommitRecords(records);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    orders[i].on_record(receipts ? Result<Receipt>((*receipts)[i]) : Fail(receipts.error()));
  }
  if (receipts) TellHead();
}

Result<std::vector<Receipt>> ChainWriter::CommitRecords(std::span<const PreparedRecord> records) {
  Result<std::vector<Receipt>> receipts = chain_->Append(records);
  if (!receipts) {
    MendIfBroken();
    return receipts;
  }
  TellPassed();
  told_ = chain_->state().seq;
  own_head_ = KnownHead{chain_->state().seq, chain_->state().head};
  if (!checkpoint_due_) checkpoint_due_ = SteadyClock::now() + options_.checkpoint_interval;
  return receipts;
}

void ChainWriter::AnswerCheckpoint(Order order) {
  // Committing the records of the same batch may have broken the chain.
  if (Result<void> opened = chain_ ? Result<void>() : OpenAnew(); !opened) {
    return order.Refuse(opened.error());
  }
  Result<Checkpoint> made = chain_->AddCheckpoint();
  if (made) checkpoint_due_.reset();
  MendIfBroken();
  order.on_checkpoint(std::move(made));
}

Result<ChainLock::Turn> ChainWriter::Enter() {
  if (damage_) return Fail(*damage_);
  TRY(EnsureLock());
  TRY_ASSIGN(ChainLock::Turn turn, lock_->Take(options_.lock_patience));
  TRY(MakeCurrent());
  return turn;
}

Result<void> ChainWriter::EnsureLock() {
  if (lock_ && !lock_->is_gone()) return {};
  lock_.reset();
  std::error_code failed;
  std::filesystem::create_directories(input_.paths.folder, failed);
  if (failed) {
    return Fail(ErrorCode::kIoError,
                "cannot create " + input_.paths.folder.string() + ": " + failed.message());
  }
  TRY(SyncFolder(input_.paths.folder.parent_path()));
  TRY_ASSIGN(lock_, ChainLock::Open(input_.paths));
  return {};
}

Result<void> ChainWriter::MakeCurrent() {
  if (!chain_) return OpenAnew();
  const auto change = chain_->CatchUp([this](const RecordView& record) { Pass(record); });
  if (!change && change.error().code() == ErrorCode::kLedgerDamaged) {
    return NoteDamage(change.error());
  }
  // Everything else is found out, and mended where it can be, as at the start.
  if (!change || *change == ChainChange::kUnclear) return OpenAnew();
  if (*change == ChainChange::kMoved) {
    own_head_ = KnownHead{chain_->state().seq, chain_->state().head};
  }
  return {};
}

Result<void> ChainWriter::OpenAnew() {
  chain_.reset();
  OpenChainInput open{.paths = input_.paths,
                      .tenant = input_.tenant,
                      .key = key_,
                      .clock = clock_,
                      .layer = layer_,
                      .options = options_,
                      .heads = {},
                      .refused = refused_,
                      .on_record = [this](const RecordView& record) { Pass(record); }};
  if (input_.known) open.heads.push_back({input_.known->seq, input_.known->record_hash});
  if (own_head_) open.heads.push_back(*own_head_);
  Result<std::unique_ptr<OpenChain>> opened = OpenChain::Open(open);
  if (!opened && opened.error().code() == ErrorCode::kLedgerDamaged) {
    return NoteDamage(std::move(opened).error());
  }
  if (!opened) return Fail(std::move(opened).error());
  chain_ = *std::move(opened);
  refused_.clear();
  own_head_ = KnownHead{chain_->state().seq, chain_->state().head};
  if (chain_->records_since_checkpoint() > 0) {
    checkpoint_due_ = SteadyClock::now() + options_.checkpoint_interval;
  }
  PassUpTo(own_head_->seq);
  TellPassed();
  if (own_head_->seq > 0) TellHead();
  return {};
}

// Looking again would find the same; only a person can say what to do.
Result<void> ChainWriter::NoteDamage(Error error) {
  chain_.reset();
  damage_ = std::move(error);
  return Fail(*damage_);
}

void ChainWriter::Pass(const RecordView& record) {
  if (!PassUpTo(record.fields.seq)) return;
  if (auto action = ActionIn(record, input_.tenant)) passed_.actions.push_back(*std::move(action));
}

bool ChainWriter::PassUpTo(std::uint64_t seq) {
  if (!input_.on_passed || seq <= std::max(told_, passed_.last)) return false;
  if (passed_.last == 0) passed_.first = seq;
  passed_.last = seq;
  return true;
}

// Called when everything up to the newest record is durable.
void ChainWriter::TellPassed() {
  PassedRecords passed = std::exchange(passed_, PassedRecords());
  if (passed.last == 0) return;
  told_ = passed.last;
  passed.tenant = input_.tenant;
  input_.on_passed(std::move(passed));
}

bool ChainWriter::IsCheckpointDue() const {
  if (!checkpoint_due_ || !chain_) return false;
  return SteadyClock::now() >= *checkpoint_due_ ||
         chain_->records_since_checkpoint() >= options_.checkpoint_records;
}

// Others may have signed what was due.
void ChainWriter::TryCheckpoint(CheckpointIf when) {
  const Result<ChainLock::Turn> turn = Enter();
  if (!turn) {
    LOG(warn, "ledger.checkpoint", {"tenant", input_.tenant.value()},
        {"error", Describe(turn.error())});
    checkpoint_due_ = SteadyClock::now() + options_.checkpoint_interval;
  } else if (when == CheckpointIf::kAny || IsCheckpointDue()) {
    AddCheckpointNow();
  }
}

// A checkpoint that could not be written is tried again later; no caller waits for it.
void ChainWriter::AddCheckpointNow() {
  checkpoint_due_.reset();
  if (chain_->records_since_checkpoint() == 0) return;
  const Result<Checkpoint> made = chain_->AddCheckpoint();
  if (made) return;
  LOG(warn, "ledger.checkpoint", {"tenant", input_.tenant.value()},
      {"error", Describe(made.error())});
  checkpoint_due_ = SteadyClock::now() + options_.checkpoint_interval;
  MendIfBroken();
}

// What was refused must be gone before others have their turn: they could not tell it from what
// was not. If the disk does not even allow that, it is tried again at the next turn.
void ChainWriter::MendIfBroken() {
  if (!chain_->is_broken()) return;
  const std::filesystem::path segment = chain_->segment_path();
  refused_ = chain_->TakeRefused();
  chain_.reset();
  ForgetCached(segment);
  if (const Result<void> opened = OpenAnew(); !opened) {
    LOG(error, "ledger.open", {"tenant", input_.tenant.value()},
        {"error", Describe(opened.error())});
  }
}

void ChainWriter::TellHead() {
  if (!input_.on_head) return;
  Hasher hasher;
  const ChainState& state = chain_->state();
  input_.on_head({.chain = input_.tenant.value(),
                  .seq = state.seq,
                  .record_hash = state.head,
                  .tree_root = state.tree.Root(hasher)});
}

}  // namespace falconer::ledger
