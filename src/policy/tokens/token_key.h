#pragma once
// TokenKey: a key that signs tokens, or the public half of one that only checks them. What it is
// decides its algorithm, whatever a token says: RSA is RS256, P-256 is ES256, Ed25519 is EdDSA.
// Every other kind of key, a shared secret above all, is refused.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json_reader.h"

namespace falconer::policy {

enum class TokenAlgorithm : std::uint8_t { kRs256, kEs256, kEdDsa };

inline constexpr EnumName<TokenAlgorithm> kTokenAlgorithms[] = {
    {TokenAlgorithm::kRs256, "RS256"},
    {TokenAlgorithm::kEs256, "ES256"},
    {TokenAlgorithm::kEdDsa, "EdDSA"},
};

// A small value: copies share the key, which never changes. All calls may come from any thread.
class TokenKey {
 public:
  // RSA with 2048 bits, P-256 or Ed25519.
  static TokenKey Generate(TokenAlgorithm algorithm);
  // A private key or a public one ("BEGIN PRIVATE KEY", "BEGIN PUBLIC KEY"). kInvalidArgument for
  // other kinds of keys and for weak ones: RSA below 2048 or above 8192 bits, with an exponent
  // below 65537, or with the mark of generators that made guessable keys (ROCA).
  static Result<TokenKey> FromPem(std::string_view pem);
  // The public key of a JWK (RFC 7517). Also refused: use or key_ops for something else, an alg
  // that is not the one of its type, and private or secret members.
  static Result<TokenKey> FromJwk(const json::object& jwk);

  TokenAlgorithm algorithm() const;
  bool can_sign() const;
  // 16 hex digits of the SHA-256 of its public half: the name it has when nobody gives it another.
  const std::string& id() const;

  bool Verifies(std::string_view text, std::string_view signature) const;
  // The signature in the form that tokens have it. The key MUST be one that can sign.
  std::string Sign(std::string_view text) const;

  std::string PublicPem() const;
  // The key MUST be one that can sign.
  std::string PrivatePem() const;

 private:
  struct Impl;
  explicit TokenKey(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace falconer::policy
