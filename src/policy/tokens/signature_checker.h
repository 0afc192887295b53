#pragma once
// SignatureChecker: one public key, ready to check signatures. Setting OpenSSL up for a check costs
// about as much as a tenth of the check, so what was set up is kept and used again. For .cc files
// only: brings OpenSSL's types.

#include <mutex>
#include <vector>

#include "policy/tokens/openssl_types.h"
#include "policy/tokens/token_key.h"

namespace falconer::policy {

class SignatureChecker {
 public:
  // The key must outlive this.
  SignatureChecker(EVP_PKEY* key, TokenAlgorithm algorithm);

  // From any thread.
  bool Verifies(std::string_view text, std::string_view signature) const;

 private:
  // What one check at a time needs.
  struct Bench {
    SslDigestContext digest;
    SslKeyContext key;
  };

  Bench Take() const;
  void GiveBack(Bench bench) const;
  Bench MakeBench() const;
  bool VerifiesDigest(std::string_view text, std::string_view signature) const;
  bool VerifiesText(std::string_view text, std::string_view signature) const;

  EVP_PKEY* key_;
  TokenAlgorithm algorithm_;
  std::size_t signature_bytes_;
  SslDigest sha256_;
  mutable std::mutex mutex_;
  mutable std::vector<Bench> idle_;
};

}  // namespace falconer::policy
