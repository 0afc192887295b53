#pragma once
// Where the vault of a data folder is, and where its key comes from.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "policy/secrets/vault_file.h"

namespace falconer::policy {

inline constexpr std::string_view kVaultKeyVariable = "FALCONER_VAULT_KEY";
inline constexpr std::string_view kVaultKeyFileVariable = "FALCONER_VAULT_KEY_FILE";

struct VaultHome {
  std::filesystem::path data_folder;
  std::vector<std::string> environment;  // "NAME=value" lines
  std::filesystem::path file = {};       // of the vault; empty: in the folder

  std::filesystem::path vault() const {
    return file.empty() ? data_folder / "secrets.vault" : file;
  }
  std::filesystem::path key() const { return data_folder / "secrets.key"; }
  // What the keyring knows the key by.
  std::string keyring_name() const { return vault().string(); }
};

enum class KeyPlace : std::uint8_t { kFile, kKeyring };

// The key: $FALCONER_VAULT_KEY, the file $FALCONER_VAULT_KEY_FILE, secrets.key in the folder, the
// keyring; the first that is there. kNotFound when there is none, else what the place says. Blocks
// when the keyring is asked.
Result<VaultKey> FindVaultKey(const VaultHome& home);
// A new key, kept at that place.
Result<VaultKey> CreateVaultKey(const VaultHome& home, KeyPlace place);

// The vault with its key; fails like FindVaultKey.
Result<VaultFile> OpenVault(const VaultHome& home);

}  // namespace falconer::policy
