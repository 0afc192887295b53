#pragma once
// Jobs in SQLite. Every function runs inside the caller's transaction.

#include "store/job_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<PutJobAnswer> PutJob(Database& database, const NewJob& wish, WallTime now);
Result<std::optional<ClaimedJob>> ClaimJob(Database& database, const JobClaim& claim, WallTime now);
Result<std::vector<HeldJob>> BeatJobs(Database& database, const JobHold& hold, WallTime now);
Result<void> FreeJobsOf(Database& database, const std::string& owner);
Result<JobRecord> EndJob(Database& database, const JobEnd& end, WallTime now);
Result<void> ReleaseJob(Database& database, const JobRelease& release);
Result<JobRecord> CancelJob(Database& database, const JobCancel& cancel, WallTime now);
Result<void> DropJob(Database& database, const JobName& name);
Result<std::vector<std::string>> ForgetJobs(Database& database, const JobKeep& keep, WallTime now);

Result<JobRecord> FindJob(Database& database, const JobName& name);
Result<std::vector<JobRecord>> ListJobs(Database& database, const JobFilter& filter);
Result<JobOutlook> LookAtJobs(Database& database, const JobClaim& claim, WallTime now);

}  // namespace falconer::store
