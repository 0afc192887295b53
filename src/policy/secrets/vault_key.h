#pragma once
// VaultKey: the 256-bit key of a vault, and the places it comes from. As text it is 64 hex digits.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "policy/secrets/secret_text.h"

namespace falconer::policy {

inline constexpr std::size_t kVaultKeyBytes = 32;

class VaultKey {
 public:
  static VaultKey Random();
  // 64 hex digits, with white space around. kInvalidArgument; never quotes.
  static Result<VaultKey> Parse(const SecretText& text);

  // kNotFound, kInvalidArgument when it holds no key, kUnauthorized when others may read the file.
  static Result<VaultKey> FromFile(const std::filesystem::path& path);
  // Writes a new key to a new private file (0600), in one step: there is a whole key or no file.
  // kAlreadyExists, kNotFound, kIoError.
  static Result<VaultKey> CreateFile(const std::filesystem::path& path);

  // The value of an environment variable ("NAME=value" lines). kNotFound, kInvalidArgument.
  static Result<VaultKey> FromEnvironment(const std::vector<std::string>& environment,
                                          std::string_view name);

  // The keyring of the desktop, by the command `secret-tool`. Blocks, see RunCommand.
  // kToolUnavailable when there is no such command, kNotFound when the keyring has no key.
  static Result<VaultKey> FromKeyring(std::string_view vault);
  Result<void> SaveToKeyring(std::string_view vault) const;

  // 32 bytes.
  std::string_view Reveal() const { return bytes_.Reveal(); }

 private:
  explicit VaultKey(SecretText bytes) : bytes_(std::move(bytes)) {}
  SecretText ToText() const;

  SecretText bytes_;
};

}  // namespace falconer::policy
