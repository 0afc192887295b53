#pragma once
// What a turn was admitted by, and is judged by until it ends: the token and the policy as they
// were at its beginning, each with the form in which it goes on record, once, under its digest.

#include <memory>
#include <string>

#include "policy/rules/policy.h"
#include "policy/tokens/token_verifier.h"

namespace falconer::kernel {

struct AdmittedToken {
  policy::VerifiedToken token;
  // What it allows, to whom. Not its id and its times, which are with each turn: tokens that allow
  // the same are on record once. A token's own text never is.
  json::object content;
  std::string digest;

  static Result<std::shared_ptr<const AdmittedToken>> Of(policy::VerifiedToken token);
  // The token again, as far as it is on record. kInvalidArgument for what Of() never makes.
  static Result<policy::VerifiedToken> Parse(const json::object& content, const TenantId& tenant,
                                             WallTime issued);
};

struct AdmittedPolicy {
  policy::Policy policy;
  json::object content;  // {"yaml": the text it was read from}
  std::string digest;

  // Fails as Policy::Parse.
  static Result<std::shared_ptr<const AdmittedPolicy>> Of(std::string yaml);
  static Result<policy::Policy> Parse(const json::object& content);
};

}  // namespace falconer::kernel
