#include "store/sqlite/action_table.h"

namespace falconer::store {
namespace {

// As the column `state` keeps them.
std::int64_t NumberOf(ActionState state) {
  return state == ActionState::kOpen ? 0 : 1;
}

ActionState StateOf(std::int64_t number) {
  return number == 0 ? ActionState::kOpen : ActionState::kTerminal;
}

// Marks the age: what was put or ended later goes later.
Result<std::uint64_t> NextPlace(Database& database) {
  TRY_ASSIGN(Statement next, database.Use("UPDATE counters SET value = value + 1"
                                          " WHERE name = 'action_order' RETURNING value"));
  TRY_ASSIGN(const bool found, next.Step());
  if (!found) return Fail(ErrorCode::kStoreDamaged, "the counter of actions is missing");
  const std::uint64_t place = next.CountAt(0);
  TRY(next.Run());
  return place;
}

Result<void> Put(Database& database, const IndexedAction& action) {
  TRY_ASSIGN(const std::uint64_t place, NextPlace(database));
  TRY_ASSIGN(Statement put,
             database.Use("INSERT INTO actions VALUES(?, ?, ?, ?, ?, ?, ?)"
                          " ON CONFLICT(tenant, scope, action_id) DO UPDATE SET"
                          " state = excluded.state, seq = excluded.seq, turn = excluded.turn,"
                          " place = excluded.place WHERE excluded.seq > actions.seq"));
  return put.Text(action.key.tenant.value())
      .Text(action.key.scope)
      .Bytes(action.key.action_id)
      .Number(NumberOf(action.state))
      .Number(action.seq)
      .Text(action.turn.value())
      .Number(place)
      .Run();
}

Result<void> NoteIndexed(Database& database, const ActionBatch& batch) {
  if (batch.chain.empty()) return {};
  TRY_ASSIGN(Statement note, database.Use("INSERT INTO indexed VALUES(?, ?) ON CONFLICT(chain)"
                                          " DO UPDATE SET seq = max(seq, excluded.seq)"));
  return note.Text(batch.chain).Number(batch.indexed_seq).Run();
}

Result<std::uint64_t> Count(Database& database) {
  TRY_ASSIGN(Statement count, database.Use("SELECT value FROM counters WHERE name = 'actions'"));
  TRY_ASSIGN(const bool found, count.Step());
  return found ? count.CountAt(0) : 0;
}

Result<void> EvictOldest(Database& database, std::uint64_t most) {
  TRY_ASSIGN(const std::uint64_t count, Count(database));
  if (count <= most) return {};
  TRY_ASSIGN(Statement evict,
             database.Use("DELETE FROM actions WHERE (tenant, scope, action_id) IN"
                          " (SELECT tenant, scope, action_id FROM actions"
                          " INDEXED BY actions_by_age WHERE state = 1 ORDER BY place LIMIT ?)"));
  return evict.Number(count - most).Run();
}

}  // namespace

Result<void> PutActions(Database& database, const ActionBatch& batch, std::uint64_t most) {
  for (const IndexedAction& action : batch.actions) TRY(Put(database, action));
  TRY(NoteIndexed(database, batch));
  return EvictOldest(database, most);
}

Result<std::optional<IndexedAction>> FindAction(Database& database, const ActionKey& key) {
  TRY_ASSIGN(Statement find, database.Use("SELECT state, seq, turn FROM actions"
                                          " WHERE tenant = ? AND scope = ? AND action_id = ?"));
  find.Text(key.tenant.value()).Text(key.scope).Bytes(key.action_id);
  TRY_ASSIGN(const bool found, find.Step());
  if (!found) return std::optional<IndexedAction>();
  return IndexedAction{key, StateOf(find.NumberAt(0)), find.CountAt(1), TurnId(find.TextAt(2))};
}

Result<std::uint64_t> IndexedSeq(Database& database, const std::string& chain) {
  TRY_ASSIGN(Statement find, database.Use("SELECT seq FROM indexed WHERE chain = ?"));
  TRY_ASSIGN(const bool found, find.Text(chain).Step());
  return found ? find.CountAt(0) : 0;
}

}  // namespace falconer::store
