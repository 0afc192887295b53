#include "policy/tokens/rsa_strength.h"

#include <algorithm>
#include <array>
#include <string>

#include <openssl/core_names.h>

#include "policy/tokens/openssl_types.h"

namespace falconer::policy {
namespace {

constexpr int kLeastRsaBits = 2048;
// Checking takes time with the size of the key: larger ones would let a key slow everything down.
constexpr int kMostRsaBits = 8192;
constexpr BN_ULONG kLeastExponent = 65537;
constexpr int kMostExponentBits = 64;

// A library in many chips made primes of the form k*M + (65537^a mod M), with M the product of the
// first primes (CVE-2017-15361). Modulo each of these, such a key is a power of 65537; of others
// about one in 2^27 is.
constexpr unsigned kRocaGenerator = 65537;
constexpr unsigned kRocaPrimes[] = {3,   5,   7,   11,  13,  17,  19,  23,  29,  31,  37,  41,  43,
                                    47,  53,  59,  61,  67,  71,  73,  79,  83,  89,  97,  101, 103,
                                    107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167};

bool IsPowerModulo(unsigned residue, unsigned prime) {
  unsigned power = 1;
  do {
    if (power == residue) return true;
    power = power * (kRocaGenerator % prime) % prime;
  } while (power != 1);
  return false;
}

bool HasRocaMark(const BIGNUM* modulus) {
  return std::ranges::all_of(kRocaPrimes, [modulus](unsigned prime) {
    return IsPowerModulo(static_cast<unsigned>(BN_mod_word(modulus, prime)), prime);
  });
}

SslNumber RsaNumber(const EVP_PKEY* key, const char* name) {
  BIGNUM* number = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &number) != 1) return nullptr;
  return SslNumber(number);
}

std::unexpected<Error> WeakRsa(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, "the RSA key " + std::string(why));
}

}  // namespace

Result<void> CheckRsaStrength(const EVP_PKEY* key) {
  const SslNumber modulus = RsaNumber(key, OSSL_PKEY_PARAM_RSA_N);
  const SslNumber exponent = RsaNumber(key, OSSL_PKEY_PARAM_RSA_E);
  if (!modulus || !exponent) return WeakRsa("has no modulus or no exponent");
  const int bits = BN_num_bits(modulus.get());
  if (bits < kLeastRsaBits || bits > kMostRsaBits) {
    return WeakRsa("has " + std::to_string(bits) + " bits: allowed are 2048 to 8192");
  }
  const bool is_large = BN_num_bits(exponent.get()) > kMostExponentBits;
  if (is_large || BN_get_word(exponent.get()) < kLeastExponent || BN_is_odd(exponent.get()) == 0) {
    return WeakRsa("has an exponent that is not safe");
  }
  if (HasRocaMark(modulus.get())) return WeakRsa("was made by a generator that can be guessed");
  return {};
}

}  // namespace falconer::policy
