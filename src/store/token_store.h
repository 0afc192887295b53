#pragma once
// TokenStore: the durable records about capability tokens: which were issued, which were used up,
// which were revoked. Shared by all processes that use the file: what one writes the next call of
// another sees. Calls behave as those of ControlStore.

#include <vector>

#include "base/async/task.h"
#include "model/token/token_record.h"

namespace falconer::store {

class TokenStore {
 public:
  virtual ~TokenStore() = default;

  // Notes a token before it is handed out. kAlreadyExists for an id that was issued before.
  virtual Task<Result<void>> NoteIssued(model::IssuedToken token) = 0;
  // Whether it was revoked: itself, with its agent, or with all. A token that was noted when issued
  // is judged by that moment, others by the earliest one that they may have been issued at.
  virtual Task<Result<model::TokenStanding>> FindStanding(model::TokenName token) = 0;
  // Of all uses of a slot of a token only the first one, and the same use again, are allowed.
  virtual Task<Result<model::UseOutcome>> UseToken(model::TokenUse use) = 0;

  // Revokes one token, also one that was never noted here; answers whether it was. Doing so twice
  // changes nothing.
  virtual Task<Result<bool>> RevokeToken(model::TokenRevocation revocation) = 0;
  // Revokes what was issued until now. Answers how many tokens that are noted and not expired that
  // concerns.
  virtual Task<Result<std::uint64_t>> RevokeIssued(model::TokenCutoff cutoff) = 0;

  // Tokens that were noted, newest first; expired ones are forgotten after a week.
  virtual Task<Result<std::vector<model::ListedToken>>> ListIssued(model::TokenFilter filter) = 0;
};

}  // namespace falconer::store
