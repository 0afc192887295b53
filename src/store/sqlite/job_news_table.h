#pragma once
// What jobs tell on their way, in SQLite. Every function runs inside the caller's transaction.

#include "store/job_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<void> AddJobNews(Database& database, const NewsNote& note);
Result<std::vector<JobNewsRow>> ListJobNews(Database& database, const NewsQuery& query);

}  // namespace falconer::store
