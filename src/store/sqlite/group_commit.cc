#include "store/sqlite/group_commit.h"

#include <algorithm>

namespace falconer::store {
namespace {

Result<void> RunBehindSavepoint(Database& database, DatabaseJob& job) {
  TRY(database.Execute("SAVEPOINT job"));
  Result<void> done = job.work(database);
  // A full disk makes SQLite give the whole transaction up.
  if (!database.is_in_transaction()) return done;
  if (!done) TRY(database.Execute("ROLLBACK TO job"));
  TRY(database.Execute("RELEASE job"));
  return done;
}

Survives NeededBy(const std::vector<DatabaseJob>& batch) {
  const bool none_needs_more = std::ranges::all_of(
      batch, [](const DatabaseJob& job) { return job.survives == Survives::kProcess; });
  return none_needs_more ? Survives::kProcess : Survives::kPowerLoss;
}

// The outcome of each job, or why none of them counts.
Result<std::vector<Result<void>>> RunAll(Database& database, std::vector<DatabaseJob>& batch) {
  TRY(database.SyncFor(NeededBy(batch)));
  TRY(database.Execute("BEGIN IMMEDIATE"));
  std::vector<Result<void>> outcomes;
  for (DatabaseJob& job : batch) {
    outcomes.push_back(RunBehindSavepoint(database, job));
    if (!database.is_in_transaction()) {
      return outcomes.back() ? Fail(database.Failure("the transaction was given up"))
                             : Fail(std::move(outcomes.back()).error());
    }
  }
  TRY(database.Execute("COMMIT"));
  return outcomes;
}

}  // namespace

void CommitTogether(Database& database, std::vector<DatabaseJob> batch) {
  Result<std::vector<Result<void>>> outcomes = RunAll(database, batch);
  // Nothing of it may be left for the next transaction.
  if (!outcomes) database.RollBack();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch[i].done(outcomes ? std::move((*outcomes)[i]) : Fail(outcomes.error()));
  }
}

}  // namespace falconer::store
