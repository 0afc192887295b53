#include "store/sqlite/context_table.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <tuple>

#include "store/sqlite/context_run.h"

namespace falconer::store {
namespace {

// As many shelves as the first bits can name: what is merged at once is at most a share of all.
constexpr int kShelfBits = 4;
// So many runs of about one length become one that is about as many times longer: more on some
// shelves than on others, or all would be rewritten at the same time.
constexpr std::int64_t kFewestRuns = 6;
constexpr std::int64_t kMoreRuns = 8;
constexpr std::uint64_t kLengthBits = 3;

struct Learner {
  std::int64_t id = 0;
  std::string node;
};

struct Shelf {
  std::int64_t learner = 0;
  std::int64_t number = 0;
};

struct ShelvedRun {
  std::int64_t run = 0;
  std::uint64_t count = 0;
};

std::int64_t ShelfOf(const ContextRow& row) {
  return static_cast<std::int64_t>(row.context >> (64 - kShelfBits));
}

Result<std::vector<Learner>> LearnersOf(Database& database, const TenantId& tenant) {
  TRY_ASSIGN(Statement list,
             database.Use("SELECT id, node FROM learners WHERE tenant = ? ORDER BY node"));
  list.Text(tenant.value());
  std::vector<Learner> learners;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return learners;
    learners.push_back({.id = list.NumberAt(0), .node = list.TextAt(1)});
  }
}

Result<void> CheckLearner(const TenantId& tenant, const std::string& node) {
  if (tenant.empty()) return Fail(ErrorCode::kInvalidArgument, "tenant: must not be empty");
  if (node.empty()) return Fail(ErrorCode::kInvalidArgument, "node: must not be empty");
  return {};
}

Result<std::int64_t> LearnerNamed(Database& database, const TenantId& tenant,
                                  const std::string& node) {
  {
    TRY_ASSIGN(Statement put,
               database.Use("INSERT OR IGNORE INTO learners(tenant, node) VALUES(?, ?)"));
    TRY(put.Text(tenant.value()).Text(node).Run());
  }
  TRY_ASSIGN(Statement find, database.Use("SELECT id FROM learners WHERE tenant = ? AND node = ?"));
  TRY(find.Text(tenant.value()).Text(node).Step());
  return find.NumberAt(0);
}

// Newest first.
Result<std::vector<ShelvedRun>> RunsOn(Database& database, const Shelf& shelf) {
  TRY_ASSIGN(Statement list,
             database.Use("SELECT run, count FROM context_runs WHERE learner = ? AND shelf = ?"
                          " ORDER BY run DESC"));
  list.Number(shelf.learner).Number(shelf.number);
  std::vector<ShelvedRun> runs;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return runs;
    runs.push_back({.run = list.NumberAt(0), .count = list.CountAt(1)});
  }
}

Result<std::vector<ContextRow>> TakeRun(Database& database, const Shelf& shelf, std::int64_t run) {
  std::vector<ContextRow> rows;
  {
    TRY_ASSIGN(Statement read, database.Use("SELECT rows FROM context_runs WHERE learner = ?"
                                            " AND shelf = ? AND run = ?"));
    TRY(read.Number(shelf.learner).Number(shelf.number).Number(run).Step());
    TRY(UnpackRun(read.BytesAt(0), rows));
  }
  TRY_ASSIGN(Statement drop, database.Use("DELETE FROM context_runs WHERE learner = ?"
                                          " AND shelf = ? AND run = ?"));
  TRY(drop.Number(shelf.learner).Number(shelf.number).Number(run).Run());
  return rows;
}

Result<void> InsertRun(Database& database, const Shelf& shelf, std::int64_t run,
                       const std::vector<ContextRow>& rows) {
  if (rows.empty()) return {};
  TRY_ASSIGN(Statement put, database.Use("INSERT INTO context_runs VALUES(?, ?, ?, ?, ?)"));
  return put.Number(shelf.learner)
      .Number(shelf.number)
      .Number(run)
      .Number(std::uint64_t{rows.size()})
      .Bytes(PackRun(rows))
      .Run();
}

std::size_t RunsOfALength(const Shelf& shelf) {
  return static_cast<std::size_t>(kFewestRuns + shelf.number % kMoreRuns);
}

std::uint64_t LengthOf(std::uint64_t count) {
  return static_cast<std::uint64_t>(std::bit_width(count)) / kLengthBits;
}

// How many of the newest runs are no longer than a new one of so many rows.
std::size_t CountShorter(std::span<const ShelvedRun> runs, std::size_t rows) {
  const auto is_longer = [rows](const ShelvedRun& run) {
    return LengthOf(run.count) > LengthOf(rows);
  };
  return static_cast<std::size_t>(std::ranges::find_if(runs, is_longer) - runs.begin());
}

Result<void> PutOnShelf(Database& database, const Shelf& shelf, std::vector<ContextRow> rows) {
  TRY_ASSIGN(const std::vector<ShelvedRun> all, RunsOn(database, shelf));
  std::span<const ShelvedRun> older = all;
  for (;;) {
    const std::size_t shorter = CountShorter(older, rows.size());
    if (shorter + 1 < RunsOfALength(shelf)) break;
    for (const ShelvedRun& run : older.first(shorter)) {
      TRY_ASSIGN(const std::vector<ContextRow> taken, TakeRun(database, shelf, run.run));
      rows = MergeRuns(taken, rows);
    }
    older = older.subspan(shorter);
  }
  if (older.empty()) DropForgotten(rows);
  return InsertRun(database, shelf, older.empty() ? 1 : older.front().run + 1, rows);
}

// `rows` are a run.
Result<void> PutOnShelves(Database& database, std::int64_t learner,
                          const std::vector<ContextRow>& rows) {
  for (auto from = rows.begin(); from != rows.end();) {
    const std::int64_t number = ShelfOf(*from);
    const auto to = std::find_if(
        from, rows.end(), [number](const ContextRow& row) { return ShelfOf(row) != number; });
    TRY(PutOnShelf(database, {.learner = learner, .number = number},
                   std::vector<ContextRow>(from, to)));
    from = to;
  }
  return {};
}

Result<void> DropRuns(Database& database, std::int64_t learner) {
  TRY_ASSIGN(Statement drop, database.Use("DELETE FROM context_runs WHERE learner = ?"));
  return drop.Number(learner).Run();
}

// What the runs say together. Those of a shelf come newest first: they are the short ones.
Result<void> ReadRows(Database& database, std::int64_t learner, std::vector<ContextRow>& all) {
  TRY_ASSIGN(Statement list, database.Use("SELECT shelf, rows FROM context_runs WHERE learner = ?"
                                          " ORDER BY shelf, run DESC"));
  list.Number(learner);
  std::int64_t number = -1;
  std::vector<ContextRow> shelf;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row || list.NumberAt(0) != number) {
      DropForgotten(shelf);
      all.insert(all.end(), shelf.begin(), shelf.end());
      shelf.clear();
    }
    if (!has_row) return {};
    number = list.NumberAt(0);
    std::vector<ContextRow> older;
    TRY(UnpackRun(list.BytesAt(1), older));
    shelf = shelf.empty() ? std::move(older) : MergeRuns(older, shelf);
  }
}

Result<std::uint64_t> CountRows(Database& database, const TenantId& tenant) {
  TRY_ASSIGN(Statement count, database.Use("SELECT total(count) FROM context_runs WHERE learner IN"
                                           " (SELECT id FROM learners WHERE tenant = ?)"));
  TRY(count.Text(tenant.value()).Step());
  return count.CountAt(0);
}

// Orders what is kept before what goes.
bool IsKeptBefore(const ContextRow& a, const ContextRow& b) {
  const auto rank = [](const ContextRow& row) {
    return std::make_tuple(-row.day, -(row.by_person + row.by_agent), row.context, row.next);
  };
  return rank(a) < rank(b);
}

// Nothing when there are not more than `most`.
std::optional<ContextRow> FirstToGo(std::span<ContextRow> rows, std::size_t most) {
  if (rows.size() <= most) return std::nullopt;
  std::ranges::nth_element(rows, rows.begin() + static_cast<std::ptrdiff_t>(most), IsKeptBefore);
  return rows[most];
}

}  // namespace

Result<LearntContexts> LoadContexts(Database& database, const TenantId& tenant,
                                    const std::string& node) {
  TRY_ASSIGN(const std::vector<Learner> learners, LearnersOf(database, tenant));
  LearntContexts learnt;
  for (const Learner& learner : learners) {
    TRY(ReadRows(database, learner.id, learner.node == node ? learnt.own : learnt.others));
  }
  return learnt;
}

Result<void> PutContexts(Database& database, const TenantId& tenant, const std::string& node,
                         std::vector<ContextRow> rows) {
  TRY(CheckLearner(tenant, node));
  if (!std::ranges::all_of(rows, &IsSound))
    return Fail(ErrorCode::kInvalidArgument, "contexts: a row counts what is no count");
  if (rows.empty()) return {};
  TRY_ASSIGN(const std::int64_t learner, LearnerNamed(database, tenant, node));
  MakeRun(rows);
  return PutOnShelves(database, learner, rows);
}

Result<void> PutNode(Database& database, const TenantId& tenant, const std::string& node,
                     const std::vector<ContextRow>& rows) {
  TRY(CheckLearner(tenant, node));
  TRY_ASSIGN(const std::int64_t learner, LearnerNamed(database, tenant, node));
  TRY(DropRuns(database, learner));
  if (!rows.empty()) return PutContexts(database, tenant, node, rows);
  TRY_ASSIGN(Statement drop, database.Use("DELETE FROM learners WHERE id = ?"));
  return drop.Number(learner).Run();
}

Result<void> BoundContexts(Database& database, const TenantId& tenant, std::size_t most) {
  TRY_ASSIGN(const std::uint64_t stored, CountRows(database, tenant));
  // Rows that newer ones replace count, too: all are read, and written anew, only when many came.
  if (stored <= most + most / 2) return {};
  TRY_ASSIGN(const std::vector<Learner> learners, LearnersOf(database, tenant));
  std::vector<ContextRow> all;
  for (const Learner& learner : learners) TRY(ReadRows(database, learner.id, all));
  const std::optional<ContextRow> first_to_go = FirstToGo(all, most);
  for (const Learner& learner : learners) {
    std::vector<ContextRow> rows;
    TRY(ReadRows(database, learner.id, rows));
    std::erase_if(rows, [&](const ContextRow& row) {
      return first_to_go && !IsKeptBefore(row, *first_to_go);
    });
    TRY(PutNode(database, tenant, learner.node, rows));
  }
  return {};
}

Result<void> ForgetContexts(Database& database, const TenantId& tenant) {
  TRY_ASSIGN(const std::vector<Learner> learners, LearnersOf(database, tenant));
  for (const Learner& learner : learners) TRY(PutNode(database, tenant, learner.node, {}));
  return {};
}

}  // namespace falconer::store
