#include "store/sqlite/pause_table.h"

#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

Pause PauseIn(const Statement& row) {
  return {.tenant = TenantId(row.TextAt(0)),
          .reason = row.TextAt(1),
          .by = row.TextAt(2),
          .since = FromWallMs(row.NumberAt(3))};
}

// The one of exactly this scope.
Result<std::optional<Pause>> PauseOf(Database& database, const TenantId& tenant) {
  TRY_ASSIGN(Statement find, database.Use("SELECT tenant, reason, ordered_by, since_ms FROM pauses"
                                          " WHERE tenant = ?"));
  TRY_ASSIGN(const bool found, find.Text(tenant.value()).Step());
  if (!found) return std::optional<Pause>();
  return PauseIn(find);
}

}  // namespace

Result<Pause> OrderPause(Database& database, const PauseOrder& order, WallTime now) {
  TRY_ASSIGN(std::optional<Pause> known, PauseOf(database, order.tenant));
  if (known) return *std::move(known);
  TRY_ASSIGN(Statement put, database.Use("INSERT INTO pauses VALUES(?, ?, ?, ?)"));
  TRY(put.Text(order.tenant.value()).Text(order.reason).Text(order.by).Number(ToWallMs(now)).Run());
  return Pause{order.tenant, order.reason, order.by, FromWallMs(ToWallMs(now))};
}

Result<std::optional<Pause>> EndPause(Database& database, const TenantId& tenant) {
  TRY_ASSIGN(std::optional<Pause> known, PauseOf(database, tenant));
  if (!known) return known;
  TRY_ASSIGN(Statement drop, database.Use("DELETE FROM pauses WHERE tenant = ?"));
  TRY(drop.Text(tenant.value()).Run());
  return known;
}

// The empty name of everybody sorts first.
Result<std::optional<Pause>> FindPause(Database& database, const TenantId& tenant) {
  TRY_ASSIGN(Statement find, database.Use("SELECT tenant, reason, ordered_by, since_ms FROM pauses"
                                          " WHERE tenant IN ('', ?) ORDER BY tenant LIMIT 1"));
  TRY_ASSIGN(const bool found, find.Text(tenant.value()).Step());
  if (!found) return std::optional<Pause>();
  return PauseIn(find);
}

Result<std::vector<Pause>> ListPauses(Database& database) {
  TRY_ASSIGN(Statement list, database.Use("SELECT tenant, reason, ordered_by, since_ms FROM pauses"
                                          " ORDER BY tenant"));
  std::vector<Pause> pauses;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return pauses;
    pauses.push_back(PauseIn(list));
  }
}

}  // namespace falconer::store
