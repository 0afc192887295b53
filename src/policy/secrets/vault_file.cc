#include "policy/secrets/vault_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include <openssl/crypto.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/json/canonical_json.h"
#include "base/json/json_reader.h"
#include "base/random.h"
#include "base/sha256.h"
#include "base/unique_fd.h"
#include "policy/secrets/secret_reference.h"
#include "policy/secrets/vault_crypto.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kVaultHead = "falconer-vault 1 ";
constexpr std::size_t kVaultDigest = 64;

std::unexpected<Error> Damaged(std::string why) {
  return Fail(ErrorCode::kStoreDamaged, std::move(why));
}

struct SealedSecret {
  std::string name;
  std::int64_t version = 1;
  std::string sealed;
};

struct VaultContent {
  std::string salt;
  std::string check;
  std::string mac;
  std::vector<SealedSecret> secrets;
};

// Everything that the MAC covers, in one form.
Result<std::string> CoveredBy(const VaultContent& content) {
  json::array secrets;
  for (const SealedSecret& secret : content.secrets) {
    secrets.push_back({{"name", secret.name},
                       {"version", secret.version},
                       {"sealed", EncodeBase64(secret.sealed)}});
  }
  return CanonicalJson(json::object{{"salt", EncodeBase64(content.salt)},
                                    {"check", EncodeBase64(content.check)},
                                    {"secrets", std::move(secrets)}});
}

Result<std::string> VaultText(const VaultContent& content) {
  TRY_ASSIGN(const std::string covered, CoveredBy(content));
  TRY_ASSIGN(json::object object, ParseJsonObject(covered));
  object["mac"] = EncodeBase64(content.mac);
  const std::string body = json::serialize(object) + "\n";
  return std::string(kVaultHead) + Sha256Hex(body) + "\n" + body;
}

Result<VaultContent> ReadContent(const json::value& body) {
  const auto read = [](JsonReader& in) {
    VaultContent content{
        .salt = in.String("salt"), .check = in.String("check"), .mac = in.String("mac")};
    content.secrets = in.Objects("secrets", [](JsonReader& secret) {
      return SealedSecret{.name = secret.String("name"),
                          .version = secret.Integer("version", {.min = 1}),
                          .sealed = secret.String("sealed")};
    });
    return content;
  };
  TRY_ASSIGN(VaultContent content, ReadJson(body, "vault", read, ErrorCode::kStoreDamaged));
  for (std::string* text : {&content.salt, &content.check, &content.mac}) {
    auto bytes = DecodeBase64(*text);
    if (!bytes) return Damaged(bytes.error().message());
    *text = *std::move(bytes);
  }
  for (SealedSecret& secret : content.secrets) {
    auto bytes = DecodeBase64(secret.sealed);
    if (!bytes) return Damaged(bytes.error().message());
    secret.sealed = *std::move(bytes);
  }
  return content;
}

// The digest in the first line tells a damaged file from a wrong key.
Result<VaultContent> ParseVault(std::string_view text) {
  const std::size_t body_at = kVaultHead.size() + kVaultDigest + 1;
  if (!text.starts_with(kVaultHead) || text.size() < body_at || text[body_at - 1] != '\n') {
    return Damaged("does not begin like a vault");
  }
  const std::string_view body = text.substr(body_at);
  if (text.substr(kVaultHead.size(), kVaultDigest) != Sha256Hex(body)) {
    return Damaged("is not what was written: its digest differs");
  }
  const auto parsed = ParseJson(body);
  if (!parsed) return Damaged(parsed.error().message());
  return ReadContent(*parsed);
}

bool AreEqual(std::string_view left, std::string_view right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

Result<std::vector<Secret>> OpenVault(const VaultContent& content, const VaultKey& key) {
  const VaultFileKeys keys(key, content.salt);
  if (!AreEqual(keys.KeyCheck(), content.check)) {
    return Fail(ErrorCode::kUnauthorized, "was written with another key");
  }
  TRY_ASSIGN(const std::string covered, CoveredBy(content));
  if (!AreEqual(keys.MacOf(covered), content.mac)) {
    return Damaged("was changed by someone without the key");
  }
  std::vector<Secret> secrets;
  for (const SealedSecret& sealed : content.secrets) {
    TRY_ASSIGN(const SecretText packed,
               keys.Open(sealed.sealed, BoundTo(sealed.name, sealed.version)));
    TRY_ASSIGN(Secret secret, UnpackSecret(packed));
    secret.name = sealed.name;
    secret.version = sealed.version;
    secrets.push_back(std::move(secret));
  }
  return secrets;
}

bool IsOrComesFrom(const Secret& secret, std::string_view name) {
  return secret.name == name || secret.terms.lent_from == name;
}

// What it is lent from is still to be had, if it is lent.
bool IsLoanStanding(const std::vector<Secret>& secrets, const Secret& loan) {
  if (loan.terms.lent_from.empty()) return true;
  const auto from = std::ranges::find(secrets, loan.terms.lent_from, &Secret::name);
  return from != secrets.end() && !from->terms.is_revoked;
}

std::unexpected<Error> NoSuchSecret(std::string_view name) {
  return Fail(ErrorCode::kNotFound, "the vault has no secret " + std::string(name));
}

void ForgetValues(Secret& secret) {
  for (SecretField& field : secret.fields) field.value = SecretText();
  ++secret.version;
}

bool HoldsValues(const Secret& secret) {
  return std::ranges::any_of(secret.fields,
                             [](const SecretField& field) { return !field.value.empty(); });
}

// Of several processes that change one vault, each sees what the others wrote.
class VaultLock {
 public:
  static Result<VaultLock> Take(const std::filesystem::path& vault) {
    const std::filesystem::path path = vault.string() + ".lock";
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd) return IoFailure(path, "cannot lock the vault");
    while (::flock(fd.get(), LOCK_EX) != 0) {
      if (errno != EINTR) return IoFailure(path, "cannot lock the vault");
    }
    return VaultLock(std::move(fd));
  }

 private:
  explicit VaultLock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace

Result<std::vector<Secret>> VaultFile::Load() const {
  auto text = ReadFile(path_);
  if (!text && text.error().code() == ErrorCode::kNotFound) return std::vector<Secret>();
  if (!text) return Fail(std::move(text).error());
  const std::string where = "the vault " + path_.string();
  auto content = ParseVault(*text);
  if (!content) return Fail(std::move(content).error().In(where));
  auto secrets = OpenVault(*content, key_);
  if (!secrets) return Fail(std::move(secrets).error().In(where));
  return secrets;
}

Result<void> VaultFile::Save(const std::vector<Secret>& secrets, const VaultKey& key) const {
  VaultContent content{.salt = RandomBytes(kVaultSaltBytes)};
  const VaultFileKeys keys(key, content.salt);
  content.check = keys.KeyCheck();
  for (const Secret& secret : secrets) {
    content.secrets.push_back(
        {.name = secret.name,
         .version = secret.version,
         .sealed = keys.Seal(PackSecret(secret), BoundTo(secret.name, secret.version))});
  }
  TRY_ASSIGN(const std::string covered, CoveredBy(content));
  content.mac = keys.MacOf(covered);
  TRY_ASSIGN(const std::string text, VaultText(content));
  return WriteFileAtomic(path_, text);
}

Result<Secret> VaultFile::Find(std::string_view name) {
  TRY_ASSIGN(std::vector<Secret> secrets, Load());
  const auto it = std::ranges::find(secrets, name, &Secret::name);
  if (it != secrets.end()) return std::move(*it);
  return NoSuchSecret(name);
}

Result<SecretText> VaultFile::Take(std::string_view name, std::string_view field,
                                   const Check& check) {
  TRY_ASSIGN(const VaultLock lock, VaultLock::Take(path_));
  TRY_ASSIGN(std::vector<Secret> secrets, Load());
  const auto it = std::ranges::find(secrets, name, &Secret::name);
  if (it == secrets.end()) return NoSuchSecret(name);
  TRY(check(*it));
  const auto taken = std::ranges::find(it->fields, field, &SecretField::name);
  if (taken == it->fields.end()) {
    return Fail(ErrorCode::kNotFound, "the secret " + it->name + " has no such field");
  }
  SecretText value = std::exchange(taken->value, SecretText());
  it->terms.used.emplace_back(field);
  ++it->version;
  TRY(Save(secrets, key_));
  return value;
}

Result<std::vector<SecretInfo>> VaultFile::List() {
  TRY_ASSIGN(const std::vector<Secret> secrets, Load());
  std::vector<SecretInfo> infos;
  for (const Secret& secret : secrets) infos.push_back(InfoOf(secret, kind()));
  return infos;
}

Result<std::vector<Secret>> VaultFile::Known() {
  return Load();
}

Result<std::int64_t> VaultFile::Put(Secret secret) {
  return Replace(std::move(secret), std::nullopt);
}

Result<std::int64_t> VaultFile::PutOver(Secret secret, std::int64_t version) {
  return Replace(std::move(secret), version);
}

Result<std::int64_t> VaultFile::Replace(Secret secret, std::optional<std::int64_t> version) {
  TRY(CheckSecretName("name", secret.name));
  for (const SecretField& field : secret.fields) TRY(CheckSecretName("field", field.name));
  if (secret.fields.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "a secret has at least one field");
  }
  TRY_ASSIGN(const VaultLock lock, VaultLock::Take(path_));
  TRY_ASSIGN(std::vector<Secret> secrets, Load());
  const auto it = std::ranges::find(secrets, secret.name, &Secret::name);
  const std::int64_t before = it == secrets.end() ? 0 : it->version;
  if (version && (before != *version || !IsLoanStanding(secrets, secret))) {
    return Fail(ErrorCode::kPreconditionFailed,
                "the secret " + secret.name + " was changed meanwhile; try again");
  }
  secret.version = before + 1;
  if (it == secrets.end()) {
    secrets.push_back(std::move(secret));
  } else {
    *it = std::move(secret);
  }
  TRY(Save(secrets, key_));
  return before + 1;
}

Result<void> VaultFile::Remove(std::string_view name) {
  TRY_ASSIGN(const VaultLock lock, VaultLock::Take(path_));
  TRY_ASSIGN(std::vector<Secret> secrets, Load());
  if (std::ranges::find(secrets, name, &Secret::name) == secrets.end()) return NoSuchSecret(name);
  std::erase_if(secrets, [&](const Secret& secret) { return IsOrComesFrom(secret, name); });
  return Save(secrets, key_);
}

Result<std::vector<std::string>> VaultFile::Revoke(std::string_view name) {
  TRY_ASSIGN(const VaultLock lock, VaultLock::Take(path_));
  TRY_ASSIGN(std::vector<Secret> secrets, Load());
  if (std::ranges::find(secrets, name, &Secret::name) == secrets.end()) return NoSuchSecret(name);
  std::vector<std::string> revoked;
  for (Secret& secret : secrets) {
    if (!IsOrComesFrom(secret, name)) continue;
    ForgetValues(secret);
    secret.terms.is_revoked = true;
    revoked.push_back(secret.name);
  }
  TRY(Save(secrets, key_));
  return revoked;
}

Result<void> VaultFile::ForgetExpired(WallTime now) {
  TRY_ASSIGN(const VaultLock lock, VaultLock::Take(path_));
  TRY_ASSIGN(std::vector<Secret> secrets, Load());
  bool has_forgotten = false;
  for (Secret& secret : secrets) {
    if (!secret.terms.IsExpired(now) || !HoldsValues(secret)) continue;
    ForgetValues(secret);
    has_forgotten = true;
  }
  return has_forgotten ? Save(secrets, key_) : Result<void>();
}

Result<void> VaultFile::RotateKey(VaultKey key) {
  TRY_ASSIGN(const VaultLock lock, VaultLock::Take(path_));
  TRY_ASSIGN(const std::vector<Secret> secrets, Load());
  TRY(Save(secrets, key));
  key_ = std::move(key);
  return {};
}

}  // namespace falconer::policy
