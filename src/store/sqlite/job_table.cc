#include "store/sqlite/job_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "store/sqlite/job_row.h"
#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

constexpr std::size_t kMostListedJobs = 1000;
constexpr std::int64_t kForgottenAtOnce = 64;
// How long somebody who found the queue full is told to wait.
constexpr std::int64_t kComeAgainMs = 5000;

std::string JobStateName(JobState state) {
  return std::string(NameIn(kJobStates, state));
}

std::string JsonList(const std::vector<std::string>& texts) {
  return json::serialize(json::array(texts.begin(), texts.end()));
}

Result<std::vector<JobRecord>> JobsIn(Statement& list) {
  std::vector<JobRecord> jobs;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return jobs;
    TRY_ASSIGN(JobRecord job, JobIn(list));
    jobs.push_back(std::move(job));
  }
}

Result<std::optional<JobRecord>> JobOfKey(Database& database, const JobRecord& wish) {
  if (wish.idempotency_key.empty()) return std::optional<JobRecord>();
  TRY_ASSIGN(Statement find, database.Use("SELECT " FALCONER_JOB_COLUMNS
                                          " FROM jobs WHERE tenant = ? AND idempotency_key = ?"));
  TRY_ASSIGN(const bool found, find.Text(wish.tenant.value()).Text(wish.idempotency_key).Step());
  if (!found) return std::optional<JobRecord>();
  TRY_ASSIGN(JobRecord job, JobIn(find));
  return job;
}

Result<void> CheckSameJob(const JobRecord& known, const JobRecord& wish) {
  if (known.type == wish.type && known.input == wish.input) return {};
  return Fail(Error(ErrorCode::kAlreadyExists,
                    "another job was sent with this idempotency key: " + known.id,
                    {{"job", known.id}}));
}

Result<std::uint64_t> CountQueued(Database& database, const TenantId& tenant) {
  TRY_ASSIGN(Statement count,
             database.Use("SELECT count(*) FROM jobs WHERE tenant = ? AND state = 'queued'"));
  TRY(count.Text(tenant.value()).Step());
  return count.CountAt(0);
}

Result<void> CheckRoom(Database& database, const NewJob& wish) {
  if (wish.hold) return {};
  TRY_ASSIGN(const std::uint64_t queued, CountQueued(database, wish.job.tenant));
  if (queued < wish.max_queued) return {};
  return Fail(Error(ErrorCode::kQueueFull, fmt::format("{} jobs wait already", queued),
                    {{"retry_after_ms", kComeAgainMs}}));
}

Result<void> InsertJob(Database& database, const JobRecord& job) {
  TRY_ASSIGN(
      Statement put,
      database.Use("INSERT INTO jobs(" FALCONER_JOB_COLUMNS ")"
                   " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  return put.Text(job.id)
      .Text(job.tenant.value())
      .Text(job.type)
      .Text(JobStateName(job.state))
      .Text(job.workflow)
      .Text(job.idempotency_key)
      .Number(std::int64_t{job.attempts})
      .Text(job.owner)
      .Number(job.epoch)
      .Number(ToWallMs(job.lease_until))
      .Number(ToWallMs(job.created))
      .Number(ToWallMs(job.started))
      .Number(std::int64_t{0})
      .Text("")
      .Number(std::int64_t{0})
      .Text(NameIn(kCallbackStates, job.callback.state))
      .Number(std::int64_t{0})
      .Text(json::serialize(job.input))
      .Text("")
      .Text("{}")
      .Text(CallbackText(job.callback))
      .Run();
}

Result<JobRecord> JobOfId(Database& database, const std::string& id) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT " FALCONER_JOB_COLUMNS " FROM jobs WHERE id = ?"));
  TRY_ASSIGN(const bool found, find.Text(id).Step());
  if (!found) return Fail(ErrorCode::kNotFound, "there is no job " + id);
  return JobIn(find);
}

std::unexpected<Error> NoLongerHeld(const std::string& id, std::uint64_t epoch) {
  return Fail(Error(ErrorCode::kStaleEpoch,
                    fmt::format("job {} is no longer held by epoch {}", id, epoch),
                    {{"job", id}, {"epoch", epoch}}));
}

// From then on its callback is due.
Result<void> NoteJobEnd(Database& database, const JobRecord& job, const JobOutcome& outcome,
                        WallTime now) {
  TRY_ASSIGN(Statement note,
             database.Use("UPDATE jobs SET state = ?, owner = '', lease_ms = 0, ended_ms = ?,"
                          " bytes = ?, result = ?, outcome = ?, callback_ms = ?, callback_state ="
                          " CASE callback_state WHEN 'armed' THEN 'waiting' ELSE callback_state END"
                          " WHERE id = ?"));
  return note.Text(JobStateName(outcome.state))
      .Number(ToWallMs(now))
      .Number(outcome.bytes)
      .Text(outcome.result)
      .Text(OutcomeText(outcome))
      .Number(ToWallMs(now))
      .Text(job.id)
      .Run();
}

Result<void> RemoveJob(Database& database, const std::string& id) {
  TRY_ASSIGN(Statement news, database.Use("DELETE FROM job_news WHERE job = ?"));
  TRY(news.Text(id).Run());
  TRY_ASSIGN(Statement drop, database.Use("DELETE FROM jobs WHERE id = ?"));
  return drop.Text(id).Run();
}

Result<std::vector<std::string>> IdsIn(Statement& list) {
  std::vector<std::string> ids;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return ids;
    ids.push_back(list.TextAt(0));
  }
}

}  // namespace

Result<PutJobAnswer> PutJob(Database& database, const NewJob& wish, WallTime now) {
  TRY_ASSIGN(std::optional<JobRecord> known, JobOfKey(database, wish.job));
  if (known) {
    TRY(CheckSameJob(*known, wish.job));
    return PutJobAnswer{.job = *std::move(known), .is_new = false};
  }
  TRY(CheckRoom(database, wish));
  JobRecord job = wish.job;
  job.created = FromWallMs(ToWallMs(now));
  if (!job.callback.url.empty()) job.callback.state = CallbackState::kArmed;
  if (wish.hold) {
    job.state = JobState::kRunning;
    job.attempts = 1;
    job.epoch = 1;
    job.owner = wish.hold->owner;
    job.started = job.created;
    job.lease_until = FromWallMs(ToWallMs(now + wish.hold->ttl));
  }
  TRY(InsertJob(database, job));
  return PutJobAnswer{.job = std::move(job), .is_new = true};
}

Result<std::optional<ClaimedJob>> ClaimJob(Database& database, const JobClaim& claim,
                                           WallTime now) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT id, state FROM jobs WHERE tenant = ?"
                          " AND state IN ('queued', 'running') AND lease_ms <= ? AND owner != ?"
                          " AND type IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT 1"));
  TRY_ASSIGN(const bool found, find.Text(claim.tenant.value())
                                   .Number(ToWallMs(now))
                                   .Text(claim.hold.owner)
                                   .Text(JsonList(claim.types))
                                   .Step());
  if (!found) return std::optional<ClaimedJob>();
  const std::string id = find.TextAt(0);
  const bool was_running = find.TextAt(1) == "running";
  TRY_ASSIGN(Statement take,
             database.Use("UPDATE jobs SET state = 'running', owner = ?, epoch = epoch + 1,"
                          " lease_ms = ?, attempts = attempts + 1, started_ms ="
                          " CASE started_ms WHEN 0 THEN ? ELSE started_ms END WHERE id = ?"));
  TRY(take.Text(claim.hold.owner)
          .Number(ToWallMs(now + claim.hold.ttl))
          .Number(ToWallMs(now))
          .Text(id)
          .Run());
  TRY_ASSIGN(JobRecord job, JobOfId(database, id));
  return ClaimedJob{.job = std::move(job), .was_running = was_running};
}

Result<std::vector<HeldJob>> BeatJobs(Database& database, const JobHold& hold, WallTime now) {
  TRY_ASSIGN(Statement beat, database.Use("UPDATE jobs SET lease_ms = ? WHERE state = 'running'"
                                          " AND owner = ? RETURNING id, epoch, cancel_reason"));
  beat.Number(ToWallMs(now + hold.ttl)).Text(hold.owner);
  std::vector<HeldJob> held;
  for (;;) {
    TRY_ASSIGN(const bool has_row, beat.Step());
    if (!has_row) return held;
    held.push_back(
        {.id = beat.TextAt(0), .epoch = beat.CountAt(1), .cancel_reason = beat.TextAt(2)});
  }
}

Result<void> FreeJobsOf(Database& database, const std::string& owner) {
  TRY_ASSIGN(Statement free,
             database.Use("UPDATE jobs SET lease_ms = 0 WHERE state = 'running' AND owner = ?"));
  return free.Text(owner).Run();
}

Result<JobRecord> EndJob(Database& database, const JobEnd& end, WallTime now) {
  TRY_ASSIGN(const JobRecord job, JobOfId(database, end.id));
  if (job.state != JobState::kRunning || job.epoch != end.epoch)
    return NoLongerHeld(end.id, end.epoch);
  TRY(NoteJobEnd(database, job, end.outcome, now));
  return JobOfId(database, end.id);
}

Result<void> ReleaseJob(Database& database, const JobRelease& release) {
  TRY_ASSIGN(Statement free,
             database.Use("UPDATE jobs SET state = ?, owner = '', lease_ms = 0, attempts ="
                          " attempts - 1 WHERE id = ? AND epoch = ? AND state = 'running'"
                          " RETURNING id"));
  const bool is_queued = release.left == JobLeft::kQueued;
  TRY_ASSIGN(
      const bool found,
      free.Text(is_queued ? "queued" : "running").Text(release.id).Number(release.epoch).Step());
  if (!found) return NoLongerHeld(release.id, release.epoch);
  return {};
}

Result<JobRecord> CancelJob(Database& database, const JobCancel& cancel, WallTime now) {
  TRY_ASSIGN(JobRecord job, FindJob(database, cancel.job));
  if (IsOver(job.state)) return job;
  // Where nobody does jobs of its type any more, nobody would ever end one that was left.
  const bool is_left = job.lease_until <= now;
  if (job.state == JobState::kQueued || is_left) {
    TRY(NoteJobEnd(
        database, job,
        {.state = JobState::kCancelled, .problem = Error(ErrorCode::kCancelled, cancel.reason)},
        now));
  } else {
    TRY_ASSIGN(Statement ask, database.Use("UPDATE jobs SET cancel_reason = ? WHERE id = ?"));
    TRY(ask.Text(cancel.reason).Text(job.id).Run());
  }
  return JobOfId(database, job.id);
}

Result<void> DropJob(Database& database, const JobName& name) {
  TRY_ASSIGN(const JobRecord job, FindJob(database, name));
  if (!IsOver(job.state)) return Fail(ErrorCode::kAlreadyExists, "job " + job.id + " is not over");
  return RemoveJob(database, job.id);
}

// Counted from the newest, which stays in any case: nobody may have seen it yet.
Result<std::vector<std::string>> ForgetJobs(Database& database, const JobKeep& keep, WallTime now) {
  TRY_ASSIGN(
      Statement list,
      database.Use("SELECT id FROM (SELECT id, ended_ms, callback_state,"
                   " row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM jobs"
                   " WHERE tenant = ? AND state IN ('ended', 'failed', 'cancelled')"
                   " WINDOW newest AS (ORDER BY ended_ms DESC, id DESC))"
                   " WHERE callback_state != 'waiting'"
                   " AND (ended_ms < ? OR (place > 1 AND (place > ? OR total > ?)))"
                   " ORDER BY ended_ms LIMIT ?"));
  list.Text(keep.tenant.value())
      .Number(ToWallMs(now - keep.age))
      .Number(keep.count)
      .Number(keep.bytes)
      .Number(kForgottenAtOnce);
  TRY_ASSIGN(std::vector<std::string> ids, IdsIn(list));
  for (const std::string& id : ids) TRY(RemoveJob(database, id));
  return ids;
}

Result<JobRecord> FindJob(Database& database, const JobName& name) {
  TRY_ASSIGN(JobRecord job, JobOfId(database, name.id));
  if (name.tenant.value().empty() || job.tenant == name.tenant) return job;
  return Fail(ErrorCode::kNotFound, "there is no job " + name.id);
}

Result<std::vector<JobRecord>> ListJobs(Database& database, const JobFilter& filter) {
  TRY_ASSIGN(Statement list,
             database.Use("SELECT " FALCONER_JOB_COLUMNS
                          " FROM jobs WHERE (? = '' OR tenant = ?) AND (? = '' OR state = ?)"
                          " AND (? = '' OR type = ?) AND (? = '' OR workflow = ?)"
                          " AND (? = '' OR id < ?)"
                          " ORDER BY id DESC LIMIT ?"));
  const std::string state = filter.state ? JobStateName(*filter.state) : "";
  list.Text(filter.tenant.value())
      .Text(filter.tenant.value())
      .Text(state)
      .Text(state)
      .Text(filter.type)
      .Text(filter.type)
      .Text(filter.workflow)
      .Text(filter.workflow)
      .Text(filter.before)
      .Text(filter.before)
      .Number(std::uint64_t{std::min(filter.limit, kMostListedJobs)});
  return JobsIn(list);
}

Result<JobOutlook> LookAtJobs(Database& database, const JobClaim& claim, WallTime now) {
  JobOutlook outlook;
  TRY_ASSIGN(Statement count,
             database.Use("SELECT count(*), sum(state = 'queued') FROM jobs WHERE tenant = ?"
                          " AND state IN ('queued', 'running') AND lease_ms <= ? AND owner != ?"
                          " AND type IN (SELECT value FROM json_each(?))"));
  TRY(count.Text(claim.tenant.value())
          .Number(ToWallMs(now))
          .Text(claim.hold.owner)
          .Text(JsonList(claim.types))
          .Step());
  outlook.claimable = count.CountAt(0);
  outlook.queued = count.CountAt(1);
  TRY_ASSIGN(Statement owners,
             database.Use("SELECT DISTINCT owner FROM jobs WHERE state = 'running'"
                          " AND owner NOT IN ('', ?) AND lease_ms > ?"));
  owners.Text(claim.hold.owner).Number(ToWallMs(now));
  TRY_ASSIGN(outlook.owners, IdsIn(owners));
  TRY_ASSIGN(Statement next, database.Use("SELECT min(callback_ms) FROM jobs WHERE tenant = ?"
                                          " AND callback_state = 'waiting'"));
  TRY(next.Text(claim.tenant.value()).Step());
  if (next.NumberAt(0) != 0) outlook.next_callback = FromWallMs(next.NumberAt(0));
  return outlook;
}

}  // namespace falconer::store
