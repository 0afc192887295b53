#pragma once
// TokenOffice: issues, checks, revokes and lists tokens, for whoever may give such orders: the
// commands of the operator and the routes of the server. What it changes is noted in the store and
// on record before it answers.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/task.h"
#include "kernel/tokens/store_token_records.h"
#include "policy/tokens/live_keys.h"
#include "policy/tokens/token_guard.h"
#include "policy/tokens/token_issuer.h"

namespace falconer::kernel {

// Puts an order on record, with the name of who gave it; durable before it answers.
using TokenRecorder = std::function<Task<Result<void>>(std::string event, json::object what)>;

class TokenOffice {
 public:
  // All must outlive this. The rules MUST pass policy::CheckTokenRules.
  TokenOffice(policy::TokenRules rules, const policy::LiveKeys& keys, store::TokenStore& records,
              const Clock& clock, TokenRecorder record);
  TokenOffice(const TokenOffice&) = delete;
  TokenOffice& operator=(const TokenOffice&) = delete;

  // Noted and on record before anybody has it. kNotFound while no key signs, else as
  // policy::TokenIssuer::Issue, the store and the ledger.
  Task<Result<policy::MadeToken>> Issue(policy::TokenRequest request);
  // Whether it is in force and allows the demand; uses nothing up. Fails with a TokenFault's error.
  Task<Result<policy::VerifiedToken>> Verify(std::string token, policy::TokenDemand demand);
  // One token; answers whether it was issued here. kInvalidArgument naming `token_id` for what is
  // no id.
  Task<Result<bool>> Revoke(model::TokenRevocation revocation);
  // What was issued until now; answers how many known tokens were in force. The event is named by
  // whom it concerns.
  Task<Result<std::uint64_t>> RevokeUntilNow(model::TokenCutoff cutoff);
  // Newest first.
  Task<Result<std::vector<model::ListedToken>>> List(model::TokenFilter filter);

  const Clock& clock() const { return clock_; }

 private:
  const policy::LiveKeys& keys_;
  store::TokenStore& store_;
  const Clock& clock_;
  TokenRecorder record_;
  policy::TokenVerifier verifier_;
  StoreTokenRecords records_;
  policy::TokenGuard guard_;
};

// A whole token instead of its id is a slip that would revoke nothing.
bool IsWholeToken(std::string_view text);

// What is told of tokens. {"token", "jti", "kid", "expires_at", "granted", "denied"}: the only one
// with the token itself.
json::object ToJson(const policy::MadeToken& made);
json::object ToJson(const policy::VerifiedToken& verified);
// With "standing": "in_force", "expired" or "revoked".
json::object ToJson(const model::ListedToken& row, WallTime now);

}  // namespace falconer::kernel
