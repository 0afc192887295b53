#include "policy/tokens/signature_form.h"

#include <algorithm>

#include "base/check.h"
#include "policy/tokens/openssl_types.h"

namespace falconer::policy {
namespace {

constexpr char kDerSequence = 0x30;
constexpr char kDerInteger = 0x02;
constexpr std::size_t kHalfBytes = kPairBytes / 2;

void PutByte(DerPair& out, char byte) {
  out.bytes[out.size++] = byte;
}

// The shortest form: no zeros in front, but one where the number would look negative.
void PutInteger(DerPair& out, std::string_view number) {
  number.remove_prefix(std::min(number.find_first_not_of('\0'), number.size() - 1));
  const bool looks_negative = (static_cast<unsigned char>(number.front()) & 0x80U) != 0;
  PutByte(out, kDerInteger);
  PutByte(out, static_cast<char>(number.size() + (looks_negative ? 1 : 0)));
  if (looks_negative) PutByte(out, '\0');
  for (const char byte : number) PutByte(out, byte);
}

}  // namespace

DerPair DerOf(std::string_view pair) {
  DerPair out;
  PutByte(out, kDerSequence);
  PutByte(out, '\0');
  PutInteger(out, pair.substr(0, kHalfBytes));
  PutInteger(out, pair.substr(kHalfBytes));
  out.bytes[1] = static_cast<char>(out.size - 2);
  return out;
}

std::string PairOf(std::string_view der) {
  const unsigned char* at = SslBytes(der);
  const SslPair pair(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  std::string out(kPairBytes, '\0');
  constexpr int kHalf = static_cast<int>(kHalfBytes);
  const bool is_written =
      pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), SslBytes(out), kHalf) == kHalf &&
      BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), SslBytes(out) + kHalfBytes, kHalf) == kHalf;
  CHECK(is_written, "a signature of P-256 has two numbers of 32 bytes");
  return out;
}

}  // namespace falconer::policy
