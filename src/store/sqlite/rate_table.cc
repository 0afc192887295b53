#include "store/sqlite/rate_table.h"

#include <algorithm>

#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

using std::chrono::milliseconds;

// A clock that was set back must not make anything count for longer than it would have.
Result<void> PullBackEvents(Database& database, const RateLimit& limit, std::int64_t now_ms) {
  TRY_ASSIGN(Statement pull,
             database.Use("UPDATE rate_events SET at_ms = ? WHERE key = ? AND at_ms > ?"));
  return pull.Number(now_ms).Text(limit.key).Number(now_ms).Run();
}

// When so many of the oldest have left the window that one more fits.
Result<milliseconds> WaitFor(Database& database, const RateLimit& limit, std::uint64_t used,
                             std::int64_t now_ms) {
  if (limit.max == 0) return limit.period;
  TRY_ASSIGN(Statement find, database.Use("SELECT at_ms FROM rate_events WHERE key = ?"
                                          " AND at_ms > ? ORDER BY at_ms LIMIT 1 OFFSET ?"));
  find.Text(limit.key).Number(now_ms - limit.period.count()).Number(used - limit.max);
  TRY(find.Step());
  return milliseconds(find.NumberAt(0) + limit.period.count() - now_ms);
}

Result<RateCount> CountEvents(Database& database, const RateLimit& limit, std::int64_t now_ms) {
  TRY(PullBackEvents(database, limit, now_ms));
  RateCount count;
  {
    TRY_ASSIGN(Statement find,
               database.Use("SELECT count(*) FROM rate_events WHERE key = ? AND at_ms > ?"));
    TRY(find.Text(limit.key).Number(now_ms - limit.period.count()).Step());
    count.used = find.CountAt(0);
  }
  if (count.used < limit.max) return count;
  TRY_ASSIGN(count.wait, WaitFor(database, limit, count.used, now_ms));
  return count;
}

Result<std::uint64_t> NoteEvent(Database& database, const RateLimit& limit, std::int64_t now_ms) {
  TRY_ASSIGN(Statement note,
             database.Use("INSERT INTO rate_events(key, at_ms, until_ms) VALUES(?, ?, ?)"
                          " RETURNING id"));
  TRY(note.Text(limit.key).Number(now_ms).Number(now_ms + limit.period.count()).Step());
  const std::uint64_t id = note.CountAt(0);
  TRY(note.Run());
  return id;
}

// More than one for each that comes, so that the table does not grow, and never many at once.
Result<void> ForgetOldEvents(Database& database, std::int64_t now_ms) {
  TRY_ASSIGN(Statement forget,
             database.Use("DELETE FROM rate_events WHERE id IN (SELECT id FROM rate_events"
                          " WHERE until_ms < ? ORDER BY until_ms LIMIT 32)"));
  return forget.Number(now_ms).Run();
}

}  // namespace

Result<RateAnswer> TakeRates(Database& database, const std::vector<RateLimit>& limits,
                             WallTime now) {
  const std::int64_t now_ms = ToWallMs(now);
  RateAnswer answer;
  for (const RateLimit& limit : limits) {
    TRY_ASSIGN(answer.counts.emplace_back(), CountEvents(database, limit, now_ms));
  }
  const auto is_full = [](const RateCount& count) { return count.wait > milliseconds(0); };
  if (std::ranges::any_of(answer.counts, is_full)) return answer;
  answer.ticket.emplace();
  for (const RateLimit& limit : limits) {
    TRY_ASSIGN(answer.ticket->ids.emplace_back(), NoteEvent(database, limit, now_ms));
  }
  TRY(ForgetOldEvents(database, now_ms));
  return answer;
}

Result<void> ReturnRates(Database& database, const RateTicket& ticket) {
  for (const std::uint64_t id : ticket.ids) {
    TRY_ASSIGN(Statement drop, database.Use("DELETE FROM rate_events WHERE id = ?"));
    TRY(drop.Number(id).Run());
  }
  return {};
}

}  // namespace falconer::store
