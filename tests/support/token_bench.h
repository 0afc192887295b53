#pragma once
// What tests of tokens share: keys that are made once, a clock, claims that are right, and tokens
// that say whatever a test wants them to say.

#include <map>
#include <string>

#include "base/async/fake_clock.h"
#include "policy/tokens/base64url.h"
#include "policy/tokens/compact_jws.h"
#include "policy/tokens/token_verifier.h"

namespace falconer::test {

// One key of each algorithm: RSA keys take long to make.
inline const policy::TokenKey& KeyOf(policy::TokenAlgorithm algorithm) {
  static const std::map<policy::TokenAlgorithm, policy::TokenKey> keys = {
      {policy::TokenAlgorithm::kRs256, policy::TokenKey::Generate(policy::TokenAlgorithm::kRs256)},
      {policy::TokenAlgorithm::kEs256, policy::TokenKey::Generate(policy::TokenAlgorithm::kEs256)},
      {policy::TokenAlgorithm::kEdDsa, policy::TokenKey::Generate(policy::TokenAlgorithm::kEdDsa)},
  };
  return keys.at(algorithm);
}

// The three keys, each by the name of its algorithm.
class ThreeKeys final : public policy::TokenKeySource {
 public:
  Result<policy::TokenKey> KeyNamed(std::string_view name, WallTime /*now*/) const override {
    const auto algorithm = ValueIn(policy::kTokenAlgorithms, name);
    if (!algorithm) return policy::RefuseToken(policy::TokenFault::kKeyUnknown);
    return KeyOf(*algorithm);
  }
};

// The word for why it was refused; the whole error when it is not one of a token.
template <typename T>
std::string ReasonOf(const Result<T>& result) {
  if (result) return "accepted";
  const json::value* reason = result.error().details().if_contains(policy::kTokenReasonDetail);
  return reason == nullptr ? Describe(result.error()) : std::string(reason->as_string());
}

class TokenBench {
 public:
  static constexpr policy::TokenAlgorithm kDefault = policy::TokenAlgorithm::kEdDsa;

  std::int64_t Now() const { return policy::ToTokenTime(clock.WallNow()); }

  // The claims of a token that is right.
  json::object Claims() const {
    return {{"iss", "abos-policy-authority"},
            {"aud", "abos-executor"},
            {"sub", "shopper"},
            {"jti", "token-1"},
            {"iat", Now()},
            {"exp", Now() + 60},
            {"caps", json::array{"READ", "PURCHASE"}}};
  }
  // The same with members changed; null takes one away.
  json::object ClaimsWith(const json::object& changes) const {
    json::object claims = Claims();
    for (const auto& [name, value] : changes) {
      if (value.is_null()) {
        claims.erase(name);
      } else {
        claims[name] = value;
      }
    }
    return claims;
  }

  static std::string Sign(const json::object& claims, policy::TokenAlgorithm algorithm = kDefault) {
    return policy::SignCompactJws(json::serialize(claims),
                                  NameIn(policy::kTokenAlgorithms, algorithm), KeyOf(algorithm));
  }
  // A rightly signed token with a header and a payload that may be anything.
  static std::string SignTexts(std::string_view header, std::string_view payload,
                               policy::TokenAlgorithm algorithm = kDefault) {
    const std::string text =
        policy::EncodeBase64Url(header) + "." + policy::EncodeBase64Url(payload);
    return text + "." + policy::EncodeBase64Url(KeyOf(algorithm).Sign(text));
  }

  FakeClock clock;
  ThreeKeys keys;
  policy::TokenRules rules;
};

}  // namespace falconer::test
