#pragma once
// Runs several jobs in one transaction, each behind a savepoint: one sync for all, and a job that
// fails takes only its own writes back.

#include <vector>

#include "store/sqlite/job_thread.h"

namespace falconer::store {

// Every `done` is called: with the job's own outcome when the commit worked, else with the reason
// why it did not.
void CommitTogether(Database& database, std::vector<DatabaseJob> batch);

}  // namespace falconer::store
