#include "store/sqlite/job_news_table.h"

#include <fmt/format.h>
#include <utility>

namespace falconer::store {
namespace {

// Of one job; the newest count.
constexpr std::uint64_t kMostNews = 256;

}  // namespace

Result<void> AddJobNews(Database& database, const NewsNote& note) {
  TRY_ASSIGN(
      Statement add,
      database.Use("INSERT INTO job_news SELECT id, (SELECT coalesce(max(seq), 0) + 1 FROM job_news"
                   " WHERE job = ?), ? FROM jobs WHERE id = ? AND epoch = ?"
                   " AND state = 'running' RETURNING seq"));
  TRY_ASSIGN(
      const bool is_added,
      add.Text(note.id).Text(json::serialize(note.news)).Text(note.id).Number(note.epoch).Step());
  if (!is_added) {
    return Fail(ErrorCode::kStaleEpoch,
                fmt::format("job {} is no longer held by epoch {}", note.id, note.epoch));
  }
  const std::uint64_t seq = add.CountAt(0);
  TRY(add.Run());
  if (seq <= kMostNews) return {};
  TRY_ASSIGN(Statement trim, database.Use("DELETE FROM job_news WHERE job = ? AND seq <= ?"));
  return trim.Text(note.id).Number(seq - kMostNews).Run();
}

Result<std::vector<JobNewsRow>> ListJobNews(Database& database, const NewsQuery& query) {
  TRY_ASSIGN(Statement list, database.Use("SELECT seq, news FROM job_news WHERE job = ?"
                                          " AND seq > ? ORDER BY seq LIMIT ?"));
  list.Text(query.id).Number(query.after).Number(std::uint64_t{query.limit});
  std::vector<JobNewsRow> rows;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return rows;
    auto news = ParseJsonObject(list.TextAt(1));
    if (!news) return Fail(ErrorCode::kStoreDamaged, "news of job " + query.id + " make no sense");
    rows.push_back({.seq = list.CountAt(0), .news = *std::move(news)});
  }
}

}  // namespace falconer::store
