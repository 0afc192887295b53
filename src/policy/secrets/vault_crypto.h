#pragma once
// The cryptography of a vault file: keys of one file, sealing and opening, and the bytes of a
// secret.

#include <cstdint>
#include <string>
#include <string_view>

#include "policy/secrets/secret.h"
#include "policy/secrets/vault_key.h"

namespace falconer::policy {

inline constexpr std::size_t kVaultSaltBytes = 16;
inline constexpr std::size_t kVaultNonceBytes = 12;
inline constexpr std::size_t kVaultTagBytes = 16;

// The keys of one written file: derived from the vault's key and the file's own salt
// (HKDF-SHA-256), so that no two files share one.
class VaultFileKeys {
 public:
  VaultFileKeys(const VaultKey& key, std::string_view salt);

  // Says which key a file was written with, and nothing about it.
  std::string KeyCheck() const;
  // HMAC-SHA-256 of a whole file.
  std::string MacOf(std::string_view content) const;

  // nonce, ciphertext and tag. `bound` is authenticated with them.
  std::string Seal(const SecretText& plain, std::string_view bound) const;
  // kStoreDamaged.
  Result<SecretText> Open(std::string_view sealed, std::string_view bound) const;

 private:
  SecretText seal_key_;
  SecretText mac_key_;
  SecretText check_;
};

// Type, hosts, fields and terms of a secret; its name and version are bound outside.
SecretText PackSecret(const Secret& secret);
// kStoreDamaged.
Result<Secret> UnpackSecret(const SecretText& packed);
// What a sealed secret is bound to.
std::string BoundTo(std::string_view name, std::int64_t version);

}  // namespace falconer::policy
