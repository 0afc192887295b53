#include "policy/secrets/open_vault.h"

namespace falconer::policy {
namespace {

bool IsMissing(const Error& error) {
  return error.code() == ErrorCode::kNotFound || error.code() == ErrorCode::kToolUnavailable;
}

Result<VaultKey> KeyFromNamedFile(const VaultHome& home) {
  const std::string start = std::string(kVaultKeyFileVariable) + "=";
  for (const std::string& line : home.environment) {
    if (!line.starts_with(start)) continue;
    auto key = VaultKey::FromFile(line.substr(start.size()));
    // It was named: that it is not there is no reason to look elsewhere.
    if (key || key.error().code() != ErrorCode::kNotFound) return key;
    return Fail(ErrorCode::kInvalidSetting,
                std::string(kVaultKeyFileVariable) + ": " + key.error().message());
  }
  return Fail(ErrorCode::kNotFound, std::string(kVaultKeyFileVariable) + " is not set");
}

}  // namespace

Result<VaultKey> FindVaultKey(const VaultHome& home) {
  if (auto key = VaultKey::FromEnvironment(home.environment, kVaultKeyVariable);
      key || !IsMissing(key.error())) {
    return key;
  }
  if (auto key = KeyFromNamedFile(home); key || !IsMissing(key.error())) return key;
  if (auto key = VaultKey::FromFile(home.key()); key || !IsMissing(key.error())) return key;
  if (auto key = VaultKey::FromKeyring(home.keyring_name()); key || !IsMissing(key.error())) {
    return key;
  }
  return Fail(ErrorCode::kNotFound, "there is no key for the vault " + home.vault().string());
}

Result<VaultKey> CreateVaultKey(const VaultHome& home, KeyPlace place) {
  if (place == KeyPlace::kFile) return VaultKey::CreateFile(home.key());
  VaultKey key = VaultKey::Random();
  TRY(key.SaveToKeyring(home.keyring_name()));
  return key;
}

Result<VaultFile> OpenVault(const VaultHome& home) {
  TRY_ASSIGN(VaultKey key, FindVaultKey(home));
  return VaultFile(home.vault(), std::move(key));
}

}  // namespace falconer::policy
