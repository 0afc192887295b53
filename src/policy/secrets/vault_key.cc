#include "policy/secrets/vault_key.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include "base/check.h"
#include "base/file.h"
#include "base/hex.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "policy/secrets/run_command.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kKeyringTool = "secret-tool";
constexpr std::size_t kLongestKeyFile = 1024;

std::vector<std::string> KeyringWords(std::string_view verb, std::string_view vault) {
  std::vector<std::string> words{std::string(kKeyringTool), std::string(verb)};
  if (verb == "store") words.emplace_back("--label=Falconer vault key");
  for (const std::string_view word : {std::string_view("service"), std::string_view("falconer"),
                                      std::string_view("vault"), vault}) {
    words.emplace_back(word);
  }
  return words;
}

}  // namespace

VaultKey VaultKey::Random() {
  SecretText bytes = SecretText::OfSize(kVaultKeyBytes);
  CHECK(RAND_bytes(bytes.Writable().data(), kVaultKeyBytes) == 1, "there is no randomness");
  return VaultKey(std::move(bytes));
}

Result<VaultKey> VaultKey::Parse(const SecretText& text) {
  const std::string_view digits = Trim(text.Reveal());
  SecretText bytes = SecretText::OfSize(kVaultKeyBytes);
  bool is_key = digits.size() == 2 * kVaultKeyBytes;
  for (std::size_t i = 0; is_key && i < kVaultKeyBytes; ++i) {
    const std::optional<std::uint8_t> byte = ByteOfHex(digits.substr(2 * i));
    is_key = byte.has_value();
    if (is_key) bytes.Writable()[i] = *byte;
  }
  if (is_key) return VaultKey(std::move(bytes));
  return Fail(ErrorCode::kInvalidArgument, "a vault key is 64 hex digits");
}

SecretText VaultKey::ToText() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  SecretText text = SecretText::OfSize(2 * kVaultKeyBytes + 1);
  const auto out = text.Writable();
  std::size_t at = 0;
  for (const char c : Reveal()) {
    const auto byte = static_cast<unsigned char>(c);
    out[at++] = static_cast<unsigned char>(kDigits[byte >> 4U]);
    out[at++] = static_cast<unsigned char>(kDigits[byte & 15U]);
  }
  out[at] = '\n';
  return text;
}

Result<VaultKey> VaultKey::FromFile(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return IoFailure(path, "cannot open the vault key");
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return IoFailure(path, "cannot look at the vault key");
  if ((status.st_mode & 077U) != 0) {
    return Fail(ErrorCode::kUnauthorized,
                "others may read the vault key " + path.string() + ": chmod 600 it");
  }
  SecretText text = SecretText::OfSize(kLongestKeyFile);
  const ssize_t n = ::read(fd.get(), text.Writable().data(), text.size());
  if (n < 0) return IoFailure(path, "cannot read the vault key");
  text.Shrink(static_cast<std::size_t>(n));
  auto key = Parse(text);
  if (!key) return Fail(std::move(key).error().In(path.string()));
  return key;
}

Result<VaultKey> VaultKey::CreateFile(const std::filesystem::path& path) {
  VaultKey key = Random();
  const auto made = CreateFileAtomic(path, key.ToText().Reveal());
  if (!made) return Fail(Error(made.error()).In("the vault key"));
  return key;
}

Result<VaultKey> VaultKey::FromEnvironment(const std::vector<std::string>& environment,
                                           std::string_view name) {
  const std::string start = std::string(name) + "=";
  for (const std::string& line : environment) {
    if (!line.starts_with(start)) continue;
    auto key = Parse(SecretText(std::string_view(line).substr(start.size())));
    if (!key) return Fail(std::move(key).error().In(name));
    return key;
  }
  return Fail(ErrorCode::kNotFound, std::string(name) + " is not set");
}

Result<VaultKey> VaultKey::FromKeyring(std::string_view vault) {
  const auto text = RunCommand(KeyringWords("lookup", vault));
  if (text && !text->empty()) return Parse(*text);
  // It fails for what it does not have.
  const bool is_missing = text || text.error().code() == ErrorCode::kExecutionError;
  if (is_missing) {
    return Fail(ErrorCode::kNotFound, "the keyring has no key of vault " + std::string(vault));
  }
  return Fail(text.error());
}

Result<void> VaultKey::SaveToKeyring(std::string_view vault) const {
  SecretText text = ToText();
  text.Shrink(2 * kVaultKeyBytes);
  TRY(RunCommand(KeyringWords("store", vault), text));
  return {};
}

}  // namespace falconer::policy
