#pragma once
// Owners of OpenSSL's objects. For .cc files only.

#include <memory>
#include <string>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

namespace falconer::policy {

template <auto kFree>
struct FreeWith {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};

using SslKey = std::unique_ptr<EVP_PKEY, FreeWith<&EVP_PKEY_free>>;
using SslKeyContext = std::unique_ptr<EVP_PKEY_CTX, FreeWith<&EVP_PKEY_CTX_free>>;
using SslDigestContext = std::unique_ptr<EVP_MD_CTX, FreeWith<&EVP_MD_CTX_free>>;
using SslDigest = std::unique_ptr<EVP_MD, FreeWith<&EVP_MD_free>>;
using SslBio = std::unique_ptr<BIO, FreeWith<&BIO_free>>;
using SslNumber = std::unique_ptr<BIGNUM, FreeWith<&BN_free>>;
using SslPair = std::unique_ptr<ECDSA_SIG, FreeWith<&ECDSA_SIG_free>>;
using SslParamBuilder = std::unique_ptr<OSSL_PARAM_BLD, FreeWith<&OSSL_PARAM_BLD_free>>;
using SslParams = std::unique_ptr<OSSL_PARAM, FreeWith<&OSSL_PARAM_free>>;

inline const unsigned char* SslBytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
inline unsigned char* SslBytes(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

}  // namespace falconer::policy
