#include "policy/secrets/vault_crypto.h"

#include <algorithm>
#include <array>
#include <memory>

#include <openssl/evp.h>
#include <openssl/kdf.h>

#include "base/check.h"
#include "base/hmac.h"
#include "base/random.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kCheckBytes = 16;
// Far above any secret: a damaged length must not ask for memory.
constexpr std::size_t kLongestPacked = 1UL << 20U;

const unsigned char* Octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

struct FreePkeyContext {
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};
struct FreeCipherContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using PkeyContext = std::unique_ptr<EVP_PKEY_CTX, FreePkeyContext>;
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeCipherContext>;

SecretText Derive(const VaultKey& key, std::string_view salt, std::string_view purpose,
                  std::size_t size) {
  const PkeyContext context(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr));
  SecretText out = SecretText::OfSize(size);
  std::size_t got = size;
  const bool is_done =
      context != nullptr && EVP_PKEY_derive_init(context.get()) == 1 &&
      EVP_PKEY_CTX_set_hkdf_md(context.get(), EVP_sha256()) == 1 &&
      EVP_PKEY_CTX_set1_hkdf_salt(context.get(), Octets(salt), static_cast<int>(salt.size())) ==
          1 &&
      EVP_PKEY_CTX_set1_hkdf_key(context.get(), Octets(key.Reveal()), kVaultKeyBytes) == 1 &&
      EVP_PKEY_CTX_add1_hkdf_info(context.get(), Octets(purpose),
                                  static_cast<int>(purpose.size())) == 1 &&
      EVP_PKEY_derive(context.get(), out.Writable().data(), &got) == 1;
  CHECK(is_done && got == size, "HKDF failed");
  return out;
}

CipherContext NewCipher() {
  CipherContext context(EVP_CIPHER_CTX_new());
  CHECK(context != nullptr, "no memory for a cipher");
  return context;
}

void AppendSize(std::string_view text, std::string& out) {
  const auto size = static_cast<std::uint32_t>(text.size());
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(size >> shift & 255U);
}

// Texts with their lengths in front, written straight into memory that is wiped.
class PackWriter {
 public:
  explicit PackWriter(std::size_t size) : out_(SecretText::OfSize(size)) {}
  void Number(std::size_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      out_.Writable()[at_++] = static_cast<unsigned char>(value >> shift & 255U);
    }
  }
  void Text(std::string_view text) {
    Number(text.size());
    std::ranges::copy(text, out_.Writable().begin() + static_cast<std::ptrdiff_t>(at_));
    at_ += text.size();
  }
  SecretText Take() { return std::move(out_); }

 private:
  SecretText out_;
  std::size_t at_ = 0;
};

class PackReader {
 public:
  explicit PackReader(std::string_view text) : rest_(text) {}
  std::size_t Number() {
    if (rest_.size() < 4) {
      is_bad_ = true;
      return 0;
    }
    std::size_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      value = value << 8U | static_cast<unsigned char>(rest_[i]);
    }
    rest_.remove_prefix(4);
    return value;
  }
  std::string_view Text() {
    const std::size_t size = Number();
    is_bad_ = is_bad_ || size > rest_.size();
    if (is_bad_) return {};
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  bool is_bad() const { return is_bad_; }
  bool is_over() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_bad_ = false;
};

// Nothing for a secret without terms: it is written as it was before there were any.
std::string TermsText(const Secret& secret) {
  return secret.terms.empty() ? std::string() : json::serialize(secret.terms.ToJson());
}

std::size_t PackedSize(const Secret& secret, std::string_view terms) {
  std::size_t size = 4 + NameIn(kSecretTypes, secret.type).size() + 4 + 4;
  if (!terms.empty()) size += 4 + terms.size();
  for (const HostPattern& host : secret.hosts) size += 4 + host.text().size();
  for (const SecretField& field : secret.fields) size += 8 + field.name.size() + field.value.size();
  return size;
}

std::unexpected<Error> Undecodable() {
  return Fail(ErrorCode::kStoreDamaged, "a sealed secret has no known form");
}

}  // namespace

VaultFileKeys::VaultFileKeys(const VaultKey& key, std::string_view salt)
    : seal_key_(Derive(key, salt, "falconer vault 1 seal", kVaultKeyBytes)),
      mac_key_(Derive(key, salt, "falconer vault 1 mac", kVaultKeyBytes)),
      check_(Derive(key, salt, "falconer vault 1 check", kCheckBytes)) {
}

std::string VaultFileKeys::KeyCheck() const {
  return std::string(check_.Reveal());
}

std::string VaultFileKeys::MacOf(std::string_view content) const {
  const Sha256Digest mac = HmacSha256(mac_key_.Reveal(), content);
  return {mac.begin(), mac.end()};
}

std::string VaultFileKeys::Seal(const SecretText& plain, std::string_view bound) const {
  const CipherContext context = NewCipher();
  const std::string nonce = RandomBytes(kVaultNonceBytes);
  std::string sealed(plain.size(), '\0');
  std::string tag(kVaultTagBytes, '\0');
  int size = 0;
  int rest = 0;
  auto* out = reinterpret_cast<unsigned char*>(sealed.data());
  const bool is_done =
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, Octets(seal_key_.Reveal()),
                         Octets(nonce)) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &size, Octets(bound),
                        static_cast<int>(bound.size())) == 1 &&
      EVP_EncryptUpdate(context.get(), out, &size, Octets(plain.Reveal()),
                        static_cast<int>(plain.size())) == 1 &&
      EVP_EncryptFinal_ex(context.get(), out + size, &rest) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kVaultTagBytes, tag.data()) == 1;
  CHECK(is_done, "AES-256-GCM failed");
  return nonce + sealed + tag;
}

Result<SecretText> VaultFileKeys::Open(std::string_view sealed, std::string_view bound) const {
  if (sealed.size() < kVaultNonceBytes + kVaultTagBytes || sealed.size() > kLongestPacked) {
    return Undecodable();
  }
  const std::string_view nonce = sealed.substr(0, kVaultNonceBytes);
  std::string tag(sealed.substr(sealed.size() - kVaultTagBytes));
  sealed = sealed.substr(kVaultNonceBytes, sealed.size() - kVaultNonceBytes - kVaultTagBytes);
  const CipherContext context = NewCipher();
  SecretText plain = SecretText::OfSize(sealed.size());
  int size = 0;
  int rest = 0;
  unsigned char* out = plain.Writable().data();
  const bool is_open =
      EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, Octets(seal_key_.Reveal()),
                         Octets(nonce)) == 1 &&
      EVP_DecryptUpdate(context.get(), nullptr, &size, Octets(bound),
                        static_cast<int>(bound.size())) == 1 &&
      EVP_DecryptUpdate(context.get(), out, &size, Octets(sealed),
                        static_cast<int>(sealed.size())) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, kVaultTagBytes, tag.data()) == 1 &&
      EVP_DecryptFinal_ex(context.get(), out + size, &rest) == 1;
  if (is_open) return plain;
  return Fail(ErrorCode::kStoreDamaged, "a sealed secret was changed");
}

SecretText PackSecret(const Secret& secret) {
  const std::string terms = TermsText(secret);
  PackWriter out(PackedSize(secret, terms));
  out.Text(NameIn(kSecretTypes, secret.type));
  out.Number(secret.hosts.size());
  for (const HostPattern& host : secret.hosts) out.Text(host.text());
  out.Number(secret.fields.size());
  for (const SecretField& field : secret.fields) {
    out.Text(field.name);
    out.Text(field.value.Reveal());
  }
  if (!terms.empty()) out.Text(terms);
  return out.Take();
}

Result<Secret> UnpackSecret(const SecretText& packed) {
  PackReader in(packed.Reveal());
  Secret secret;
  const auto type = ValueIn(kSecretTypes, in.Text());
  if (!type) return Undecodable();
  secret.type = *type;
  for (std::size_t left = in.Number(); left > 0 && !in.is_bad(); --left) {
    auto host = HostPattern::Parse(in.Text());
    if (!host) return Undecodable();
    secret.hosts.push_back(*std::move(host));
  }
  for (std::size_t left = in.Number(); left > 0 && !in.is_bad(); --left) {
    std::string name(in.Text());
    secret.fields.push_back({std::move(name), SecretText(in.Text())});
  }
  if (!in.is_bad() && !in.is_over()) {
    const auto terms = ParseJson(in.Text());
    if (!terms) return Undecodable();
    TRY_ASSIGN(secret.terms, SecretTerms::FromJson(*terms));
  }
  if (in.is_bad() || !in.is_over()) return Undecodable();
  return secret;
}

std::string BoundTo(std::string_view name, std::int64_t version) {
  std::string bound = "falconer vault 1";
  AppendSize(name, bound);
  bound += name;
  return bound + std::to_string(version);
}

}  // namespace falconer::policy
