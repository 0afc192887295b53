#pragma once
// Ledger: the chains of all tenants in one data folder. A chain is opened when it is first written.

#include <map>
#include <memory>
#include <mutex>

#include "ledger/chain_writer.h"
#include "ledger/scrubber.h"
#include "store/control_store.h"

namespace falconer::ledger {

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

  // Tells what other processes append. Whoever keeps an index listens before the first append.
  const std::shared_ptr<PassedFeed>& passed() const { return passed_; }

  const std::filesystem::path& data_folder() const { return data_folder_; }
  const PublicKey& public_key() const { return key_.public_key(); }

 private:
  Ledger(std::filesystem::path data_folder, store::ControlStore& store, const Scrubber& scrubber,
         Clock& clock, ChainOptions options, SigningKey key);
  Task<Result<ChainWriter*>> ChainOf(TenantId tenant);
  ChainWriter* Find(const TenantId& tenant);

  std::filesystem::path data_folder_;
  store::ControlStore& store_;
  const Scrubber& scrubber_;
  Clock& clock_;
  ChainOptions options_;
  SigningKey key_;
  FileLayer layer_;
  std::shared_ptr<PassedFeed> passed_ = std::make_shared<PassedFeed>();
  std::mutex mutex_;
  std::map<TenantId, std::unique_ptr<ChainWriter>> chains_;
};

// Scrubs a payload and writes it in canonical form. kInvalidArgument as for Ledger::Append.
Result<PreparedRecord> Prepare(RecordInput input, const Scrubber& scrubber);

}  // namespace falconer::ledger
