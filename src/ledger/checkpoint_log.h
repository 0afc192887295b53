#pragma once
// CheckpointLog: the file of a chain's checkpoints, as its writer keeps it.

#include <memory>
#include <optional>
#include <span>

#include "ledger/checkpoint.h"
#include "ledger/log_file.h"

namespace falconer::ledger {

class CheckpointLog {
 public:
  // Opens or creates the file. A checkpoint that was cut short by a crash is removed: the chain
  // itself has the records, and the next one covers them. kLedgerDamaged when the last complete one
  // is not right or not signed by `key`.
  static Result<std::unique_ptr<CheckpointLog>> Open(const std::filesystem::path& path,
                                                     const TenantId& tenant, const SigningKey& key,
                                                     FileLayer& layer);

  const std::optional<Checkpoint>& last() const { return last_; }
  // Signs and adds. kIoError.
  Result<void> Add(MerklePeaks tree, const Sha256Digest& head, std::int64_t wall_ms);
  bool is_broken() const { return file_->is_broken(); }

  FileChange Look() const { return file_->Look(); }
  // Takes up what other writers added. kLedgerDamaged when it does not follow the last one;
  // kIoError also for one that was cut short: the log must be opened anew then.
  Result<void> ReadOn();

 private:
  CheckpointLog(TenantId tenant, const SigningKey& key) : tenant_(std::move(tenant)), key_(key) {}
  Result<void> TakeUp(std::string_view text);

  TenantId tenant_;
  const SigningKey& key_;
  std::unique_ptr<LogFile> file_;
  std::optional<Checkpoint> last_;
};

}  // namespace falconer::ledger
