#pragma once
// The Ed25519 key that signs checkpoints, and its public half that everybody may have.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer::ledger {

using Signature = std::array<std::uint8_t, 64>;

class PublicKey {
 public:
  // From a PEM text ("BEGIN PUBLIC KEY"). kInvalidArgument when it holds no Ed25519 key.
  static Result<PublicKey> FromPem(std::string_view pem);
  // From a file; also kNotFound and kIoError.
  static Result<PublicKey> Load(const std::filesystem::path& path);

  bool Verifies(std::string_view text, const Signature& signature) const;
  // 16 hex digits: the start of the SHA-256 of the 32 bytes of the key.
  const std::string& id() const { return id_; }
  std::string ToPem() const;

 private:
  friend class SigningKey;
  struct Impl;
  explicit PublicKey(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;  // shared by copies; never changes
  std::string id_;
};

class SigningKey {
 public:
  // "keys/ledger.ed25519" in the data folder, with the public half beside it (".pub"). Made at
  // first use, private (0600). kIoError when it cannot be read or written or others may read it,
  // kInvalidArgument when it holds no Ed25519 key.
  static Result<SigningKey> LoadOrCreate(const std::filesystem::path& data_folder);
  static std::filesystem::path PublicKeyPath(const std::filesystem::path& data_folder);

  Signature Sign(std::string_view text) const;
  const PublicKey& public_key() const { return public_key_; }

 private:
  explicit SigningKey(PublicKey key) : public_key_(std::move(key)) {}
  PublicKey public_key_;
};

}  // namespace falconer::ledger
