#pragma once
// A row of the table of jobs as a record, and its parts as JSON.

#include <string>

#include "store/job_record.h"
#include "store/sqlite/statement.h"

namespace falconer::store {

// What JobIn reads, in its order. For literals: "SELECT " FALCONER_JOB_COLUMNS " FROM jobs ...".
#define FALCONER_JOB_COLUMNS                                                              \
  "id, tenant, type, state, workflow, idempotency_key, attempts, owner, epoch, lease_ms," \
  " created_ms, started_ms, ended_ms, cancel_reason, bytes, callback_state, callback_ms," \
  " input, result, outcome, callback"

// kStoreDamaged for a row that makes no sense.
Result<JobRecord> JobIn(const Statement& row);

// {"problem"?, "artifacts"?}: what of an outcome has no column.
std::string OutcomeText(const JobOutcome& outcome);
// {"url", "secret", "tries"}.
std::string CallbackText(const JobCallback& callback);

}  // namespace falconer::store
