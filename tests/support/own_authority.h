#pragma once
// OwnAuthority: a certificate authority that exists for one test, and what it vouches for.

#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace falconer::test {

// PEM texts.
struct IssuedCertificate {
  std::string certificate;
  std::string key;
};

class OwnAuthority {
 public:
  OwnAuthority() : key_(NewKey()), certificate_(NewCertificate("authority", 1, key_.get())) {
    ::X509_set_issuer_name(certificate_.get(), ::X509_get_subject_name(certificate_.get()));
    Extend(certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
    EXPECT_GT(::X509_sign(certificate_.get(), key_.get(), ::EVP_sha256()), 0);
  }

  // What clients trust.
  std::string Pem() const {
    return PemOf([&](BIO* out) { return ::PEM_write_bio_X509(out, certificate_.get()); });
  }
  // For names such as "DNS:localhost,IP:127.0.0.1", with a key of its own.
  IssuedCertificate Issue(const std::string& names) const {
    const Key key = NewKey();
    const Certificate issued = NewCertificate("server", 2, key.get());
    ::X509_set_issuer_name(issued.get(), ::X509_get_subject_name(certificate_.get()));
    Extend(issued.get(), NID_subject_alt_name, names);
    EXPECT_GT(::X509_sign(issued.get(), key_.get(), ::EVP_sha256()), 0);
    return {PemOf([&](BIO* out) { return ::PEM_write_bio_X509(out, issued.get()); }),
            KeyPem(key.get(), "")};
  }
  // A key that only a password opens.
  static std::string LockedKey() { return KeyPem(NewKey().get(), "secret"); }

 private:
  using Key = std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>;
  using Certificate = std::unique_ptr<X509, decltype(&::X509_free)>;

  static Key NewKey() { return {::EVP_EC_gen("P-256"), &::EVP_PKEY_free}; }

  // Valid for two hours around now.
  static Certificate NewCertificate(const char* title, long serial, EVP_PKEY* key) {
    Certificate made(::X509_new(), &::X509_free);
    ::X509_set_version(made.get(), 2);
    ::ASN1_INTEGER_set(::X509_get_serialNumber(made.get()), serial);
    ::X509_gmtime_adj(::X509_getm_notBefore(made.get()), -3600);
    ::X509_gmtime_adj(::X509_getm_notAfter(made.get()), 3600);
    ::X509_set_pubkey(made.get(), key);
    ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                                 reinterpret_cast<const unsigned char*>(title), -1, -1, 0);
    return made;
  }

  static void Extend(X509* certificate, int what, const std::string& value) {
    X509_EXTENSION* const extension = ::X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str());
    ::X509_add_ext(certificate, extension, -1);
    ::X509_EXTENSION_free(extension);
  }

  static std::string KeyPem(EVP_PKEY* key, std::string password) {
    const EVP_CIPHER* const cipher = password.empty() ? nullptr : ::EVP_aes_128_cbc();
    return PemOf([&](BIO* out) {
      return ::PEM_write_bio_PrivateKey(out, key, cipher,
                                        reinterpret_cast<unsigned char*>(password.data()),
                                        static_cast<int>(password.size()), nullptr, nullptr);
    });
  }

  static std::string PemOf(const std::function<int(BIO*)>& write) {
    BIO* const memory = ::BIO_new(::BIO_s_mem());
    EXPECT_EQ(write(memory), 1);
    char* data = nullptr;
    const long size = ::BIO_get_mem_data(memory, &data);
    std::string text(data, static_cast<std::size_t>(size));
    ::BIO_free(memory);
    return text;
  }

  Key key_;
  Certificate certificate_;
};

}  // namespace falconer::test
