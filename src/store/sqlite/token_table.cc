#include "store/sqlite/token_table.h"

#include <algorithm>
#include <chrono>

#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

using model::Revocation;
using model::TokenStanding;

// What is no longer in force is of use for lists only.
constexpr std::int64_t kForgetIssuedMs = 7LL * 86'400'000;
// No token that a verifier takes lives for more than an hour; the rest is for clocks that differ.
constexpr std::int64_t kForgetRevokedMs = 86'400'000;
constexpr std::int64_t kForgetUsedMs = 3'600'000;
constexpr std::uint64_t kMostListed = 1000;

Result<std::optional<std::int64_t>> NotedAt(Database& database, const std::string& token_id) {
  TRY_ASSIGN(Statement find, database.Use("SELECT noted_ms FROM tokens_issued WHERE token_id = ?"));
  TRY_ASSIGN(const bool found, find.Text(token_id).Step());
  if (!found) return std::optional<std::int64_t>();
  return find.NumberAt(0);
}

Result<std::optional<TokenStanding>> RevokedItself(Database& database,
                                                   const std::string& token_id) {
  TRY_ASSIGN(Statement find, database.Use("SELECT reason, revoked_ms FROM tokens_revoked"
                                          " WHERE token_id = ?"));
  TRY_ASSIGN(const bool found, find.Text(token_id).Step());
  if (!found) return std::optional<TokenStanding>();
  return TokenStanding{Revocation::kToken, find.TextAt(0), FromWallMs(find.NumberAt(1))};
}

// The newest cutoff that concerns the agent: of its own, of its tenant, of everybody.
Result<TokenStanding> RevokedWithOthers(Database& database, const TenantId& tenant,
                                        const AgentId& agent, std::int64_t issued_ms) {
  TRY_ASSIGN(Statement find, database.Use("SELECT agent, reason, cutoff_ms FROM token_cutoffs"
                                          " WHERE tenant IN ('', ?) AND agent IN ('', ?)"
                                          " AND cutoff_ms >= ? ORDER BY cutoff_ms DESC LIMIT 1"));
  TRY_ASSIGN(const bool found,
             find.Text(tenant.value()).Text(agent.value()).Number(issued_ms).Step());
  if (!found) return TokenStanding();
  const bool is_everybody = find.TextAt(0).empty();
  return TokenStanding{is_everybody ? Revocation::kAll : Revocation::kAgent, find.TextAt(1),
                       FromWallMs(find.NumberAt(2))};
}

// A few of each per write: the tables stay as small as what is in force.
Result<void> ForgetOldTokens(Database& database, WallTime now) {
  const std::int64_t now_ms = ToWallMs(now);
  TRY_ASSIGN(Statement issued,
             database.Use("DELETE FROM tokens_issued WHERE token_id IN (SELECT token_id FROM"
                          " tokens_issued WHERE expires_ms < ? ORDER BY expires_ms LIMIT 8)"));
  TRY(issued.Number(now_ms - kForgetIssuedMs).Run());
  TRY_ASSIGN(Statement revoked,
             database.Use("DELETE FROM tokens_revoked WHERE token_id IN (SELECT token_id FROM"
                          " tokens_revoked WHERE keep_ms < ? ORDER BY keep_ms LIMIT 8)"));
  TRY(revoked.Number(now_ms).Run());
  TRY_ASSIGN(Statement used,
             database.Use("DELETE FROM token_uses WHERE (token_id, slot) IN (SELECT token_id, slot"
                          " FROM token_uses WHERE expires_ms < ? ORDER BY expires_ms LIMIT 8)"));
  return used.Number(now_ms - kForgetUsedMs).Run();
}

// A revocation holds for as long as the token could be taken.
Result<std::int64_t> KeepRevokedUntil(Database& database, const std::string& token_id,
                                      WallTime now) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT expires_ms FROM tokens_issued WHERE token_id = ?"));
  TRY_ASSIGN(const bool found, find.Text(token_id).Step());
  const std::int64_t from = found ? std::max(find.NumberAt(0), ToWallMs(now)) : ToWallMs(now);
  return from + kForgetRevokedMs;
}

Result<std::uint64_t> CountLive(Database& database, const model::TokenCutoff& cutoff,
                                WallTime now) {
  TRY_ASSIGN(Statement count,
             database.Use("SELECT count(*) FROM tokens_issued AS t"
                          " WHERE expires_ms > ? AND (? = '' OR tenant = ?)"
                          " AND (? = '' OR agent = ?)"
                          " AND NOT EXISTS (SELECT 1 FROM tokens_revoked AS r"
                          " WHERE r.token_id = t.token_id)"
                          " AND NOT EXISTS (SELECT 1 FROM token_cutoffs AS c"
                          " WHERE c.tenant IN ('', t.tenant) AND c.agent IN ('', t.agent)"
                          " AND c.cutoff_ms >= t.noted_ms)"));
  TRY(count.Number(ToWallMs(now))
          .Text(cutoff.tenant.value())
          .Text(cutoff.tenant.value())
          .Text(cutoff.agent.value())
          .Text(cutoff.agent.value())
          .Step());
  return count.CountAt(0);
}

model::CapabilitySet CapabilitiesIn(std::uint64_t bits) {
  model::CapabilitySet set;
  for (const auto& row : model::kCapabilities) {
    const bool is_set = (bits >> static_cast<unsigned>(row.value) & 1U) != 0;
    if (is_set) set.Add(row.value);
  }
  return set;
}

struct ListedRow {
  model::IssuedToken token;
  std::int64_t noted_ms = 0;
};

ListedRow ListedRowOf(const Statement& row) {
  return {.token = {.token_id = row.TextAt(0),
                    .tenant = TenantId(row.TextAt(1)),
                    .agent = AgentId(row.TextAt(2)),
                    .plan = PlanId(row.TextAt(3)),
                    .key_name = row.TextAt(4),
                    .capabilities = CapabilitiesIn(row.CountAt(5)),
                    .issued = FromWallMs(row.NumberAt(6)),
                    .expires = FromWallMs(row.NumberAt(7))},
          .noted_ms = row.NumberAt(8)};
}

Result<std::vector<ListedRow>> ReadIssued(Database& database, const model::TokenFilter& filter) {
  TRY_ASSIGN(Statement list,
             database.Use("SELECT token_id, tenant, agent, plan, key_name, capabilities, issued_ms,"
                          " expires_ms, noted_ms FROM tokens_issued"
                          " WHERE (? = '' OR tenant = ?) AND (? = '' OR agent = ?)"
                          " ORDER BY noted_ms DESC, token_id LIMIT ?"));
  list.Text(filter.tenant.value())
      .Text(filter.tenant.value())
      .Text(filter.agent.value())
      .Text(filter.agent.value())
      .Number(std::min(filter.limit, kMostListed));
  std::vector<ListedRow> rows;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return rows;
    rows.push_back(ListedRowOf(list));
  }
}

}  // namespace

Result<void> NoteIssued(Database& database, const model::IssuedToken& token, WallTime now) {
  TRY_ASSIGN(const auto known, NotedAt(database, token.token_id));
  if (known) return Fail(ErrorCode::kAlreadyExists, "a token of this id was issued before");
  TRY_ASSIGN(Statement note,
             database.Use("INSERT INTO tokens_issued VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  TRY(note.Text(token.token_id)
          .Text(token.tenant.value())
          .Text(token.agent.value())
          .Text(token.plan.value())
          .Text(token.key_name)
          .Number(std::uint64_t{token.capabilities.bits()})
          .Number(ToWallMs(token.issued))
          .Number(ToWallMs(token.expires))
          .Number(ToWallMs(now))
          .Run());
  return ForgetOldTokens(database, now);
}

Result<TokenStanding> FindStanding(Database& database, const model::TokenName& token) {
  TRY_ASSIGN(const auto itself, RevokedItself(database, token.token_id));
  if (itself) return *itself;
  TRY_ASSIGN(const auto noted, NotedAt(database, token.token_id));
  return RevokedWithOthers(database, token.tenant, token.agent,
                           noted.value_or(ToWallMs(token.earliest_issue)));
}

Result<model::UseOutcome> UseToken(Database& database, const model::TokenUse& use, WallTime now) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT use FROM token_uses WHERE token_id = ? AND slot = ?"));
  TRY_ASSIGN(const bool found, find.Text(use.token_id).Text(use.slot).Step());
  if (found) {
    return find.TextAt(0) == use.use ? model::UseOutcome::kSame : model::UseOutcome::kReplayed;
  }
  TRY_ASSIGN(Statement note, database.Use("INSERT INTO token_uses VALUES(?, ?, ?, ?)"));
  TRY(note.Text(use.token_id)
          .Text(use.slot)
          .Text(use.use)
          .Number(std::max(ToWallMs(use.expires), ToWallMs(now)))
          .Run());
  TRY(ForgetOldTokens(database, now));
  return model::UseOutcome::kFirst;
}

Result<bool> RevokeToken(Database& database, const model::TokenRevocation& revocation,
                         WallTime now) {
  if (revocation.token_id.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "token_id: must not be empty");
  }
  TRY_ASSIGN(const auto noted, NotedAt(database, revocation.token_id));
  TRY_ASSIGN(const std::int64_t keep, KeepRevokedUntil(database, revocation.token_id, now));
  TRY_ASSIGN(Statement revoke,
             database.Use("INSERT OR IGNORE INTO tokens_revoked VALUES(?, ?, ?, ?)"));
  TRY(revoke.Text(revocation.token_id)
          .Text(revocation.reason)
          .Number(ToWallMs(now))
          .Number(keep)
          .Run());
  TRY(ForgetOldTokens(database, now));
  return noted.has_value();
}

// A clock that was set back must not make a cutoff reach less far.
Result<std::uint64_t> RevokeIssued(Database& database, const model::TokenCutoff& cutoff,
                                   WallTime now) {
  TRY_ASSIGN(const std::uint64_t live, CountLive(database, cutoff, now));
  TRY_ASSIGN(Statement revoke,
             database.Use("INSERT INTO token_cutoffs VALUES(?, ?, ?, ?)"
                          " ON CONFLICT(tenant, agent) DO UPDATE SET reason = excluded.reason,"
                          " cutoff_ms = max(cutoff_ms, excluded.cutoff_ms)"));
  TRY(revoke.Text(cutoff.tenant.value())
          .Text(cutoff.agent.value())
          .Text(cutoff.reason)
          .Number(ToWallMs(now))
          .Run());
  return live;
}

Result<std::vector<model::ListedToken>> ListIssued(Database& database,
                                                   const model::TokenFilter& filter) {
  TRY_ASSIGN(std::vector<ListedRow> rows, ReadIssued(database, filter));
  std::vector<model::ListedToken> out;
  for (ListedRow& row : rows) {
    const model::TokenName name{row.token.token_id, row.token.tenant, row.token.agent,
                                FromWallMs(row.noted_ms)};
    TRY_ASSIGN(TokenStanding standing, FindStanding(database, name));
    out.push_back({std::move(row.token), std::move(standing)});
  }
  return out;
}

}  // namespace falconer::store
