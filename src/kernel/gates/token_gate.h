#pragma once
// TokenGate: is the token that the caller shows one of ours, and in force? Which key it is checked
// with, whose it is and what it allows come from the token alone, never from the caller's word.

#include "kernel/gates/admitted.h"
#include "kernel/gates/gate.h"
#include "policy/tokens/token_guard.h"

namespace falconer::kernel {

struct TokenFacts {
  std::string token;     // the digest of what a token in force says; "" for any other
  std::string token_id;  // its jti
  std::string fault;     // the word of a fault, see policy/tokens/token_fault.h
  std::string error;     // the name of what kept everybody from knowing

  json::object ToJson() const;
  static Result<TokenFacts> FromJson(const json::object& object);
};

// The gate's verdict without its facts.
Verdict DecideToken(const TokenFacts& facts);

class TokenGate final : public Gate {
 public:
  // The guard must outlive this.
  explicit TokenGate(policy::TokenGuard& guard) : guard_(guard) {}
  std::string_view name() const override { return "token"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  policy::TokenGuard& guard_;
};

// What refused a token, as a word: that of the fault, or "unknown".
std::string TokenReason(const Error& error);

}  // namespace falconer::kernel
