#include "store/sqlite/transition_table.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace falconer::store {
namespace {

// What a transition is told apart by: the action before `from` (for second order), `from`, `to`.
using TransitionKey = std::array<std::int64_t, 3>;

struct CountedTransition {
  TransitionKey key{};
  std::int64_t count = 0;
};

std::int64_t DayOf(WallTime now) {
  return std::chrono::floor<std::chrono::days>(now).time_since_epoch().count();
}

// Each once, in the order of the tables' keys: neighbours are on the same page of the file.
std::vector<CountedTransition> CountTransitions(const LearntBatch& batch, std::size_t order) {
  const auto signed_of = [](std::uint64_t symbol) { return static_cast<std::int64_t>(symbol); };
  std::vector<TransitionKey> keys;
  for (const SeenTransition& seen : batch.transitions) {
    if (seen.by == DoneBy::kPrediction || (order == 2 && !seen.has_two)) continue;
    keys.push_back(
        {order == 2 ? signed_of(seen.from_before) : 0, signed_of(seen.from), signed_of(seen.to)});
  }
  std::ranges::sort(keys);
  std::vector<CountedTransition> counted;
  for (const TransitionKey& key : keys) {
    if (counted.empty() || counted.back().key != key) counted.push_back({.key = key});
    ++counted.back().count;
  }
  return counted;
}

Result<void> PutFirstOrder(Database& database, const LearntBatch& batch, std::int64_t day) {
  for (const auto& [key, count] : CountTransitions(batch, 1)) {
    TRY_ASSIGN(Statement put,
               database.Use("INSERT INTO transitions_first_order VALUES(?, ?, ?, ?, ?)"
                            " ON CONFLICT(tenant, from_symbol, to_symbol) DO UPDATE SET"
                            " count = count + excluded.count, day = excluded.day"));
    put.Text(batch.tenant.value()).Number(key[1]).Number(key[2]).Number(count).Number(day);
    TRY(put.Run());
  }
  return {};
}

Result<void> PutSecondOrder(Database& database, const LearntBatch& batch, std::int64_t day) {
  for (const auto& [key, count] : CountTransitions(batch, 2)) {
    TRY_ASSIGN(
        Statement put,
        database.Use("INSERT INTO transitions_second_order VALUES(?, ?, ?, ?, ?, ?)"
                     " ON CONFLICT(tenant, before_symbol, from_symbol, to_symbol) DO UPDATE SET"
                     " count = count + excluded.count, day = excluded.day"));
    put.Text(batch.tenant.value()).Number(key[0]).Number(key[1]).Number(key[2]);
    TRY(put.Number(count).Number(day).Run());
  }
  return {};
}

// What is done alike with both tables.
struct OrderedSql {
  std::string_view drop_of;
  std::string_view count;
  std::string_view drop_oldest;
  std::string_view drop_all;
};

constexpr OrderedSql kOrders[] = {
    {"DELETE FROM transitions_first_order WHERE tenant = ?1 AND"
     " (from_symbol IN (SELECT value FROM json_each(?2))"
     " OR to_symbol IN (SELECT value FROM json_each(?2)))",
     "SELECT count(*) FROM transitions_first_order WHERE tenant = ?",
     "DELETE FROM transitions_first_order WHERE (tenant, from_symbol, to_symbol) IN"
     " (SELECT tenant, from_symbol, to_symbol FROM transitions_first_order WHERE tenant = ?"
     " ORDER BY day, count, from_symbol, to_symbol LIMIT ?)",
     "DELETE FROM transitions_first_order WHERE tenant = ?"},
    {"DELETE FROM transitions_second_order WHERE tenant = ?1 AND"
     " (before_symbol IN (SELECT value FROM json_each(?2))"
     " OR from_symbol IN (SELECT value FROM json_each(?2))"
     " OR to_symbol IN (SELECT value FROM json_each(?2)))",
     "SELECT count(*) FROM transitions_second_order WHERE tenant = ?",
     "DELETE FROM transitions_second_order WHERE (tenant, before_symbol, from_symbol, to_symbol)"
     " IN (SELECT tenant, before_symbol, from_symbol, to_symbol FROM transitions_second_order"
     " WHERE tenant = ? ORDER BY day, count, before_symbol, from_symbol, to_symbol LIMIT ?)",
     "DELETE FROM transitions_second_order WHERE tenant = ?"},
};

}  // namespace

Result<void> PutTransitions(Database& database, const LearntBatch& batch, WallTime now) {
  TRY(PutFirstOrder(database, batch, DayOf(now)));
  return PutSecondOrder(database, batch, DayOf(now));
}

Result<std::vector<TopTransition>> TopTransitions(Database& database, const TenantId& tenant,
                                                  std::size_t most) {
  TRY_ASSIGN(Statement list,
             database.Use("SELECT t.from_symbol, t.to_symbol, t.count, coalesce(a.signature, ''),"
                          " coalesce(b.signature, ''),"
                          " (SELECT sum(s.count) FROM transitions_first_order s"
                          " WHERE s.tenant = t.tenant AND s.from_symbol = t.from_symbol)"
                          // The sums are of the few only.
                          " FROM (SELECT * FROM transitions_first_order WHERE tenant = ?"
                          // Symbols are compared as they are written elsewhere: without a sign.
                          " ORDER BY count DESC, from_symbol < 0, from_symbol,"
                          " to_symbol < 0, to_symbol LIMIT ?) t"
                          " LEFT JOIN known_actions a ON a.tenant = t.tenant"
                          " AND a.symbol = t.from_symbol"
                          " LEFT JOIN known_actions b ON b.tenant = t.tenant"
                          " AND b.symbol = t.to_symbol"
                          " ORDER BY t.count DESC, t.from_symbol < 0, t.from_symbol,"
                          " t.to_symbol < 0, t.to_symbol"));
  list.Text(tenant.value()).Number(std::uint64_t{most});
  std::vector<TopTransition> top;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return top;
    top.push_back({.from = list.TextAt(3),
                   .to = list.TextAt(4),
                   .from_symbol = list.CountAt(0),
                   .to_symbol = list.CountAt(1),
                   .count = static_cast<double>(list.NumberAt(2)),
                   .from_count = static_cast<double>(list.NumberAt(5))});
  }
}

Result<void> ForgetTransitionsOf(Database& database, const TenantId& tenant,
                                 std::span<const std::uint64_t> symbols) {
  json::array listed;
  for (const std::uint64_t symbol : symbols) listed.push_back(static_cast<std::int64_t>(symbol));
  const std::string text = json::serialize(listed);
  for (const OrderedSql& order : kOrders) {
    TRY_ASSIGN(Statement drop, database.Use(order.drop_of));
    TRY(drop.Text(tenant.value()).Text(text).Run());
  }
  return {};
}

Result<void> BoundTransitions(Database& database, const TenantId& tenant, std::size_t most) {
  for (const OrderedSql& order : kOrders) {
    TRY_ASSIGN(Statement count, database.Use(order.count));
    TRY(count.Text(tenant.value()).Step());
    const std::uint64_t kept = count.CountAt(0);
    if (kept <= most) continue;
    TRY_ASSIGN(Statement drop, database.Use(order.drop_oldest));
    TRY(drop.Text(tenant.value()).Number(kept - most).Run());
  }
  return {};
}

Result<void> ForgetTransitions(Database& database, const TenantId& tenant) {
  for (const OrderedSql& order : kOrders) {
    TRY_ASSIGN(Statement drop, database.Use(order.drop_all));
    TRY(drop.Text(tenant.value()).Run());
  }
  return {};
}

}  // namespace falconer::store
