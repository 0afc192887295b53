#pragma once
// TokenGuard: the whole check of a token, in its order: what the token shows, whether it was
// revoked, what it allows, and last of all whether what may be used once was used. Last, because
// only that changes something: a demand that is refused uses nothing up.

#include <string>

#include "policy/tokens/token_records.h"
#include "policy/tokens/token_verifier.h"

namespace falconer::policy {

class TokenGuard {
 public:
  // Both must outlive this.
  TokenGuard(const TokenVerifier& verifier, TokenRecords& records);

  // The token, if it allows the demand now. Fails with a TokenFault's error, or with that of the
  // records: then nobody knows, and nothing is allowed.
  Task<Result<VerifiedToken>> Admit(std::string token, TokenDemand demand);
  // The steps of it, for who takes them one by one.
  // Whether the token is in force, whatever it is for. Uses nothing up.
  Task<Result<VerifiedToken>> Inspect(std::string token);
  // Whether a token that was in force is not revoked since. It must outlive the call.
  Task<Result<void>> CheckStanding(const VerifiedToken* token);
  // Uses up what of the demand may be used once. Both must outlive the call.
  Task<Result<void>> Use(const VerifiedToken* token, const TokenDemand* demand);

  const TokenVerifier& verifier() const { return verifier_; }

 private:
  const TokenVerifier& verifier_;
  TokenRecords& records_;
};

}  // namespace falconer::policy
