#pragma once
// Records about tokens in SQLite. Every function runs inside the caller's transaction.

#include <vector>

#include "model/token/token_record.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<void> NoteIssued(Database& database, const model::IssuedToken& token, WallTime now);
Result<model::TokenStanding> FindStanding(Database& database, const model::TokenName& token);
Result<model::UseOutcome> UseToken(Database& database, const model::TokenUse& use, WallTime now);
// Whether the token was noted here.
Result<bool> RevokeToken(Database& database, const model::TokenRevocation& revocation,
                         WallTime now);
Result<std::uint64_t> RevokeIssued(Database& database, const model::TokenCutoff& cutoff,
                                   WallTime now);
Result<std::vector<model::ListedToken>> ListIssued(Database& database,
                                                   const model::TokenFilter& filter);

}  // namespace falconer::store
