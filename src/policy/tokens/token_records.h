#pragma once
// TokenRecords: what the checks of tokens must know that no token can say: whether it was revoked,
// and whether it was used. Whoever keeps such records implements this; both calls MUST see what
// other processes wrote before.

#include "base/async/task.h"
#include "model/token/token_record.h"

namespace falconer::policy {

class TokenRecords {
 public:
  virtual ~TokenRecords() = default;

  // Fails when the records cannot be read: then nothing is allowed.
  virtual Task<Result<model::TokenStanding>> StandingOf(model::TokenName token) = 0;
  // Durable before it answers: of all that ask for one slot of a token, the first is kFirst.
  virtual Task<Result<model::UseOutcome>> Consume(model::TokenUse use) = 0;
};

}  // namespace falconer::policy
