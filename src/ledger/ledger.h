#pragma once
// Ledger: the chains of all tenants in one data folder. A chain is opened when it is first written.

#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "base/async/event_hub.h"
#include "base/duration_histogram.h"
#include "ledger/chain_writer.h"
#include "ledger/scrubber.h"
#include "store/control_store.h"

namespace falconer::ledger {

// How far behind its callers the ledger is.
struct LedgerLag {
  std::size_t waiting = 0;  // records that are not durable yet
  Duration oldest{};        // how long the first of them has waited
  DurationHistogram took;   // from a call until its record was durable
};

class Ledger {
 public:
  // Loads the signing key, or makes it. The collaborators MUST outlive the ledger. kIoError,
  // kInvalidArgument for a key that is none.
  static Result<std::unique_ptr<Ledger>> Open(std::filesystem::path data_folder,
                                              store::ControlStore& store, const Scrubber& scrubber,
                                              Clock& clock, ChainOptions options = {});
  // Closes every chain with a signed checkpoint.
  ~Ledger();

  // Records it and answers once it is durable. kInvalidArgument for a payload that has no canonical
  // form or is too large; else as ChainWriter::Append.
  Task<Result<Receipt>> Append(TenantId tenant, RecordInput input);
  // A signed checkpoint that covers everything appended before the call.
  Task<Result<Checkpoint>> AddCheckpoint(TenantId tenant);

  LedgerLag lag() const;

  // Runs `tell` after each record of this process, on the event loop that appends. All who append
  // and all who listen share one.
  Subscription OnAppend(std::function<void()> tell) { return appended_.Subscribe(std::move(tell)); }
  // Tells what other processes append. Whoever keeps an index listens before the first append.
  const std::shared_ptr<PassedFeed>& passed() const { return passed_; }

  const std::filesystem::path& data_folder() const { return data_folder_; }
  const PublicKey& public_key() const { return key_.public_key(); }

 private:
  Ledger(std::filesystem::path data_folder, store::ControlStore& store, const Scrubber& scrubber,
         Clock& clock, ChainOptions options, SigningKey key);
  Task<Result<ChainWriter*>> ChainOf(TenantId tenant);
  Task<Result<Receipt>> AppendTo(TenantId tenant, PreparedRecord record);
  // A record that waits from now on, and its end.
  TimePoint Begins();
  void Ends(TimePoint began, const Result<Receipt>& receipt);
  ChainWriter* Find(const TenantId& tenant);

  std::filesystem::path data_folder_;
  store::ControlStore& store_;
  const Scrubber& scrubber_;
  Clock& clock_;
  ChainOptions options_;
  SigningKey key_;
  FileLayer layer_;
  EventHub<> appended_;
  std::shared_ptr<PassedFeed> passed_ = std::make_shared<PassedFeed>();
  mutable std::mutex mutex_;
  // When those began that are not durable yet, and how long the others took.
  std::multiset<TimePoint> waiting_;
  DurationHistogram took_;
  std::map<TenantId, std::unique_ptr<ChainWriter>> chains_;
};

// Scrubs a payload and writes it in canonical form. kInvalidArgument as for Ledger::Append.
Result<PreparedRecord> Prepare(RecordInput input, const Scrubber& scrubber);

}  // namespace falconer::ledger
