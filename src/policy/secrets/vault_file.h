#pragma once
// VaultFile: secrets in one encrypted file. Values, types and hosts are encrypted with AES-256-GCM;
// names and versions are bound to them and can be read. docs/secrets.md describes the format.
//
// Every change writes a new file in one step, private (0600), under fresh randomness. Blocking, but
// short: one file is read.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "policy/secrets/secret_source.h"
#include "policy/secrets/vault_key.h"

namespace falconer::policy {

class VaultFile final : public SecretSource {
 public:
  // A file that does not exist is an empty vault; the first change creates it.
  VaultFile(std::filesystem::path path, VaultKey key)
      : path_(std::move(path)), key_(std::move(key)) {}

  // All of them fail with kUnauthorized when the key is another one's, with kStoreDamaged when the
  // file is not what was written, with kIoError.
  Result<Secret> Find(std::string_view name) override;
  Result<std::vector<SecretInfo>> List() override;
  Result<std::vector<Secret>> Known() override;
  std::string_view kind() const override { return "vault"; }

  // Adds or replaces; the version of what is replaced counts on. Returns the version.
  Result<std::int64_t> Put(Secret secret);
  // kNotFound.
  Result<void> Remove(std::string_view name);
  // Writes everything anew under another key, which is this object's from then on.
  Result<void> RotateKey(VaultKey key);

 private:
  Result<std::vector<Secret>> Load() const;
  Result<void> Save(const std::vector<Secret>& secrets, const VaultKey& key) const;

  std::filesystem::path path_;
  VaultKey key_;
};

}  // namespace falconer::policy
