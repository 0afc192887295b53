#include "base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace falconer {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// A value no six bits can have, so that one check at the end of a group sees any bad character.
constexpr std::uint32_t kBad = 1U << 31U;

// Four tables, one per position in a group, hold each character's six bits already in place: a
// group is four loads and three ors.
using Table = std::array<std::uint32_t, 256>;

constexpr Table MakeTable(unsigned shift) {
  Table table{};
  table.fill(kBad);
  for (std::uint32_t i = 0; i < kAlphabet.size(); ++i) {
    table[static_cast<unsigned char>(kAlphabet[i])] = i << shift;
  }
  return table;
}

constexpr Table kFirstDigit = MakeTable(18);
constexpr Table kSecondDigit = MakeTable(12);
constexpr Table kThird = MakeTable(6);
constexpr Table kFourth = MakeTable(0);

std::uint32_t Bits(const char* group) {
  const auto at = [group](int i) { return static_cast<unsigned char>(group[i]); };
  return kFirstDigit[at(0)] | kSecondDigit[at(1)] | kThird[at(2)] | kFourth[at(3)];
}

char Byte(std::uint32_t bits, unsigned shift) {
  return static_cast<char>((bits >> shift) & 255U);
}

std::unexpected<Error> Bad(std::size_t offset, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument,
              "base64 at offset " + std::to_string(offset) + ": " + std::string(why));
}

std::size_t PaddingOf(std::string_view text) {
  if (text.ends_with("==")) return 2;
  return text.ends_with('=') ? 1 : 0;
}

// The last group when it is padded. 'A' stands for zero bits, so the padding reads as nothing.
Result<void> DecodePadded(std::string_view group, std::size_t offset, std::string& out) {
  const std::size_t padding = PaddingOf(group);
  std::string filled(group.substr(0, 4 - padding));
  filled.append(padding, 'A');
  const std::uint32_t bits = Bits(filled.data());
  if ((bits & kBad) != 0) return Bad(offset, "not a base64 character");
  const std::uint32_t stray = padding == 2 ? bits & 0xFFFFU : bits & 0xFFU;
  if (stray != 0) return Bad(offset, "bits beyond the last byte");
  out += Byte(bits, 16);
  if (padding == 1) out += Byte(bits, 8);
  return {};
}

std::size_t FirstBad(std::string_view text) {
  return std::min(text.find_first_not_of(kAlphabet), text.size());
}

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8U | (j < have ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= have ? kAlphabet[(bits >> (18 - 6 * j)) & 63U] : '=';
    }
  }
  return out;
}

Result<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return Bad(text.size(), "the length is not a multiple of four");
  const std::size_t padding = PaddingOf(text);
  const std::size_t whole = text.size() - (padding == 0 ? 0 : 4);
  std::string out(whole / 4 * 3, '\0');
  std::uint32_t seen = 0;
  char* to = out.data();
  for (std::size_t i = 0; i < whole; i += 4, to += 3) {
    const std::uint32_t bits = Bits(text.data() + i);
    seen |= bits;
    to[0] = Byte(bits, 16);
    to[1] = Byte(bits, 8);
    to[2] = Byte(bits, 0);
  }
  if ((seen & kBad) != 0) return Bad(FirstBad(text), "not a base64 character");
  if (padding != 0) TRY(DecodePadded(text.substr(whole), whole, out));
  return out;
}

}  // namespace falconer
