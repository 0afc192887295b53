#pragma once
// VaultFile: secrets in one encrypted file. Values, types and hosts are encrypted with AES-256-GCM;
// names and versions are bound to them and can be read. docs/secrets.md describes the format.
//
// Every change writes a new file in one step, private (0600), under fresh randomness. Blocking, but
// short: one file is read.

#include <filesystem>
#include <optional>
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

  // kNotFound, and what `check` says.
  Result<SecretText> Take(std::string_view name, std::string_view field,
                          const Check& check) override;

  // Adds or replaces; the version of what is replaced counts on. Returns the version.
  Result<std::int64_t> Put(Secret secret);
  // The same for what was made from this version of it, 0 for none: kPreconditionFailed when it was
  // changed since (used up, revoked), or when what it is lent from is gone.
  Result<std::int64_t> PutOver(Secret secret, std::int64_t version);
  // Takes it out, and what was lent from it. kNotFound.
  Result<void> Remove(std::string_view name);
  // Forgets its values and those of what was lent from it; the names stay, as revoked. Returns
  // which they are. kNotFound.
  Result<std::vector<std::string>> Revoke(std::string_view name);
  // Forgets the values of what has expired.
  Result<void> ForgetExpired(WallTime now);
  // Writes everything anew under another key, which is this object's from then on.
  Result<void> RotateKey(VaultKey key);

 private:
  Result<std::int64_t> Replace(Secret secret, std::optional<std::int64_t> version);
  Result<std::vector<Secret>> Load() const;
  Result<void> Save(const std::vector<Secret>& secrets, const VaultKey& key) const;

  std::filesystem::path path_;
  VaultKey key_;
};

}  // namespace falconer::policy
