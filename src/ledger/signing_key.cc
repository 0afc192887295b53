#include "ledger/signing_key.h"

#include <sys/stat.h>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "base/check.h"
#include "base/file.h"
#include "base/hex.h"
#include "base/sha256.h"

namespace falconer::ledger {
namespace {

constexpr std::size_t kIdDigits = 16;

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
using Bio = std::unique_ptr<BIO, FreeBio>;
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// A private key in a PEM text must not make OpenSSL ask for a pass phrase.
int NoPassPhrase(char* /*buffer*/, int /*size*/, int /*mode*/, void* /*user*/) {
  return 0;
}

enum class Half { kPublic, kPrivate };

Result<Key> ParsePem(std::string_view pem, Half half) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  CHECK(bio != nullptr, "no memory for a key");
  Key key(half == Half::kPrivate
              ? PEM_read_bio_PrivateKey(bio.get(), nullptr, &NoPassPhrase, nullptr)
              : PEM_read_bio_PUBKEY(bio.get(), nullptr, &NoPassPhrase, nullptr));
  if (!key || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_ED25519) {
    return Fail(ErrorCode::kInvalidArgument, "no Ed25519 key in PEM form");
  }
  return key;
}

std::string TextOf(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string PrivatePem(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  const bool is_written =
      bio && PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1;
  CHECK(is_written, "OpenSSL cannot write a key");
  return TextOf(bio.get());
}

std::string IdOf(EVP_PKEY* key) {
  std::array<std::uint8_t, 32> raw{};
  std::size_t size = raw.size();
  CHECK(EVP_PKEY_get_raw_public_key(key, raw.data(), &size) == 1, "the key has no public half");
  return Sha256Hex({reinterpret_cast<const char*>(raw.data()), raw.size()}).substr(0, kIdDigits);
}

Result<void> CheckPrivate(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || (status.st_mode & 077U) == 0) return {};
  return Fail(ErrorCode::kIoError,
              path.string() + " can be read by others: make it private with chmod 600");
}

// One that another process made in the same moment counts.
Result<void> CreateKey(const std::filesystem::path& path) {
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  CHECK(key != nullptr, "OpenSSL cannot make an Ed25519 key");
  const auto made = CreateFileAtomic(path, PrivatePem(key.get()));
  if (made || made.error().code() == ErrorCode::kAlreadyExists) return {};
  return made;
}

}  // namespace

struct PublicKey::Impl {
  Key key;
};

PublicKey::PublicKey(std::shared_ptr<const Impl> impl)
    : impl_(std::move(impl)), id_(IdOf(impl_->key.get())) {
}

Result<PublicKey> PublicKey::FromPem(std::string_view pem) {
  TRY_ASSIGN(Key key, ParsePem(pem, Half::kPublic));
  return PublicKey(std::make_shared<const Impl>(std::move(key)));
}

Result<PublicKey> PublicKey::Load(const std::filesystem::path& path) {
  TRY_ASSIGN(const std::string pem, ReadFile(path));
  Result<PublicKey> key = FromPem(pem);
  if (!key) return Fail(std::move(key).error().In(path.string()));
  return key;
}

bool PublicKey::Verifies(std::string_view text, const Signature& signature) const {
  const Context context(EVP_MD_CTX_new());
  return context &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, impl_->key.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(), Bytes(text),
                          text.size()) == 1;
}

std::string PublicKey::ToPem() const {
  const Bio bio(BIO_new(BIO_s_mem()));
  CHECK(bio && PEM_write_bio_PUBKEY(bio.get(), impl_->key.get()) == 1,
        "OpenSSL cannot write a key");
  return TextOf(bio.get());
}

std::filesystem::path SigningKey::PublicKeyPath(const std::filesystem::path& data_folder) {
  return data_folder / "keys" / "ledger.ed25519.pub";
}

Result<SigningKey> SigningKey::LoadOrCreate(const std::filesystem::path& data_folder) {
  const std::filesystem::path path = data_folder / "keys" / "ledger.ed25519";
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) {
    return Fail(ErrorCode::kIoError,
                "cannot create " + path.parent_path().string() + ": " + failed.message());
  }
  const auto public_path = PublicKeyPath(data_folder);
  if (!std::filesystem::exists(path, failed)) {
    if (std::filesystem::exists(public_path, failed)) {
      return Fail(ErrorCode::kLedgerDamaged,
                  path.string() + " is missing; without it nothing can be signed for " +
                      public_path.string());
    }
    TRY(CreateKey(path));
  }
  TRY(CheckPrivate(path));
  TRY_ASSIGN(const std::string pem, ReadFile(path));
  Result<Key> key = ParsePem(pem, Half::kPrivate);
  if (!key) return Fail(std::move(key).error().In(path.string()));
  SigningKey signing(PublicKey(std::make_shared<const PublicKey::Impl>(*std::move(key))));
  const auto known = ReadFile(public_path);
  if (!known) {
    TRY(WriteFileAtomic(public_path, signing.public_key_.ToPem()));
  } else if (*known != signing.public_key_.ToPem()) {
    return Fail(ErrorCode::kLedgerDamaged,
                path.string() + " and " + public_path.string() + " do not belong together");
  }
  return signing;
}

Signature SigningKey::Sign(std::string_view text) const {
  Signature signature{};
  std::size_t size = signature.size();
  const Context context(EVP_MD_CTX_new());
  const bool is_signed =
      context &&
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, public_key_.impl_->key.get()) ==
          1 &&
      EVP_DigestSign(context.get(), signature.data(), &size, Bytes(text), text.size()) == 1;
  CHECK(is_signed, "OpenSSL cannot sign");
  return signature;
}

}  // namespace falconer::ledger
