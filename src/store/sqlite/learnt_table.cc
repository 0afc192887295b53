#include "store/sqlite/learnt_table.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "store/sqlite/context_table.h"
#include "store/sqlite/transition_table.h"

namespace falconer::store {
namespace {

// The same action several times in a batch is written once. How it is done again is learnt from
// the last time that it went well.
struct ActionSum {
  const SeenAction* shown = nullptr;
  std::int64_t by_person = 0;
  std::int64_t by_agent = 0;
  std::int64_t by_prediction = 0;
  std::int64_t failed = 0;
  std::int64_t last_ms = 0;

  void Add(const SeenAction& seen) {
    if (shown == nullptr || seen.succeeded) shown = &seen;
    by_person += seen.by == DoneBy::kPerson ? 1 : 0;
    by_agent += seen.by == DoneBy::kAgent ? 1 : 0;
    by_prediction += seen.by == DoneBy::kPrediction ? 1 : 0;
    failed += seen.succeeded ? 0 : 1;
    last_ms = std::max(last_ms, seen.at_ms);
  }
};

Result<void> PutKnownAction(Database& database, const TenantId& tenant, const ActionSum& sum) {
  TRY_ASSIGN(
      Statement put,
      database.Use(
          "INSERT INTO known_actions VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
          " ON CONFLICT(tenant, symbol) DO UPDATE SET"
          " action = iif(excluded.failed < excluded.by_person + excluded.by_agent"
          " + excluded.by_prediction, excluded.action, action),"
          " page = iif(excluded.failed < excluded.by_person + excluded.by_agent"
          " + excluded.by_prediction, excluded.page, page),"
          " by_person = by_person + excluded.by_person, by_agent = by_agent + excluded.by_agent,"
          " by_prediction = by_prediction + excluded.by_prediction,"
          " failed = failed + excluded.failed, last_ms = max(last_ms, excluded.last_ms)"));
  return put.Text(tenant.value())
      .Number(sum.shown->symbol)
      .Text(sum.shown->signature)
      .Text(json::serialize(sum.shown->action))
      .Text(sum.shown->page)
      .Number(sum.by_person)
      .Number(sum.by_agent)
      .Number(sum.by_prediction)
      .Number(sum.failed)
      .Number(sum.last_ms)
      .Run();
}

// In the order of their keys: neighbours are on the same page of the file.
Result<void> PutKnownActions(Database& database, const LearntBatch& batch) {
  std::vector<const SeenAction*> seen;
  for (const SeenAction& one : batch.actions) {
    if (one.symbol == 0 || one.signature.empty())
      return Fail(ErrorCode::kInvalidArgument, "actions: one has no symbol or no signature");
    seen.push_back(&one);
  }
  std::ranges::sort(seen, {}, [](const SeenAction* one) {
    return std::make_tuple(static_cast<std::int64_t>(one->symbol), one);
  });
  for (auto at = seen.begin(); at != seen.end();) {
    ActionSum sum;
    const std::uint64_t symbol = (*at)->symbol;
    for (; at != seen.end() && (*at)->symbol == symbol; ++at) sum.Add(**at);
    TRY(PutKnownAction(database, batch.tenant, sum));
  }
  return {};
}

Result<KnownAction> KnownActionIn(const Statement& row) {
  KnownAction known{.symbol = row.CountAt(0),
                    .signature = row.TextAt(1),
                    .action = {},
                    .page = row.TextAt(3),
                    .by_person = row.NumberAt(4),
                    .by_agent = row.NumberAt(5),
                    .by_prediction = row.NumberAt(6),
                    .failed = row.NumberAt(7),
                    .last_ms = row.NumberAt(8)};
  auto action = ParseJsonObject(row.TextAt(2));
  if (!action)
    return Fail(ErrorCode::kStoreDamaged, "known_actions has an action that is no JSON object");
  known.action = *std::move(action);
  return known;
}

// Those that were not done for the longest time, beyond the bound.
Result<std::vector<std::uint64_t>> DropOldActions(Database& database, const TenantId& tenant,
                                                  std::size_t most) {
  TRY_ASSIGN(Statement drop,
             database.Use("DELETE FROM known_actions WHERE (tenant, symbol) IN"
                          " (SELECT tenant, symbol FROM known_actions WHERE tenant = ?"
                          " ORDER BY last_ms DESC, symbol < 0, symbol LIMIT -1 OFFSET ?)"
                          " RETURNING symbol"));
  drop.Text(tenant.value()).Number(std::uint64_t{most});
  std::vector<std::uint64_t> symbols;
  for (;;) {
    TRY_ASSIGN(const bool has_row, drop.Step());
    if (!has_row) return symbols;
    symbols.push_back(drop.CountAt(0));
  }
}

}  // namespace

Result<void> PutLearnt(Database& database, const LearntBatch& batch, WallTime now) {
  TRY(PutContexts(database, batch.tenant, batch.node, batch.contexts));
  TRY(PutKnownActions(database, batch));
  return PutTransitions(database, batch, now);
}

Result<std::vector<KnownAction>> LoadActions(Database& database, const TenantId& tenant) {
  TRY_ASSIGN(Statement list,
             database.Use("SELECT symbol, signature, action, page, by_person, by_agent,"
                          " by_prediction, failed, last_ms FROM known_actions WHERE tenant = ?"
                          " ORDER BY last_ms DESC, symbol < 0, symbol"));
  list.Text(tenant.value());
  std::vector<KnownAction> actions;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return actions;
    TRY_ASSIGN(KnownAction known, KnownActionIn(list));
    actions.push_back(std::move(known));
  }
}

Result<void> BoundLearnt(Database& database, const TenantId& tenant, const LearntBound& bound) {
  TRY_ASSIGN(const std::vector<std::uint64_t> gone,
             DropOldActions(database, tenant, bound.actions));
  if (!gone.empty()) TRY(ForgetTransitionsOf(database, tenant, gone));
  TRY(BoundTransitions(database, tenant, bound.contexts));
  return BoundContexts(database, tenant, bound.contexts);
}

Result<void> ForgetLearnt(Database& database, const TenantId& tenant) {
  {
    TRY_ASSIGN(Statement drop, database.Use("DELETE FROM known_actions WHERE tenant = ?"));
    TRY(drop.Text(tenant.value()).Run());
  }
  TRY(ForgetTransitions(database, tenant));
  return ForgetContexts(database, tenant);
}

}  // namespace falconer::store
